import type { components } from '@kitlane/client'
import { Group, Stack, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { useOperatorRoles } from '../../app/permissions.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Facts } from '../../components/facts.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { type Authority, AuthorityButton, SenderButton } from './authority-form.tsx'
import { type Rule, RuleButton } from './rule-form.tsx'

/** Which results are told, and to whom. */
export function NotifiableSettings() {
  const { data, error, refetch } = useRead('/operator/v1/notifiable-settings')
  const { isAdmin } = useOperatorRoles()
  const table = { error, retry: () => void refetch(), rowKey: ({ id }: { id: string }) => id }
  const empty = { title: t('Nothing is entered'), text: t('An administrator adds it here, or by the API.') }
  return (
    <Stack>
      <Text maw={720}>
        {t(
          'A rule is off until somebody has compared it with the law of the state and signs it. Nothing is sent before the sender and an authority of the place are entered.',
        )}
      </Text>
      <DataTable
        {...table}
        label={t('Rules')}
        rows={data?.rules}
        columns={isAdmin ? [...rules, changeRule] : rules}
        empty={empty}
      />
      <DataTable
        {...table}
        label={t('Authorities')}
        rows={data?.authorities}
        columns={isAdmin ? [...authorities, changeAuthority] : authorities}
        empty={empty}
      />
      {isAdmin && data && (
        <Group gap="xs">
          <RuleButton />
          <AuthorityButton />
        </Group>
      )}
      {data && (
        <Facts title={t('Sender')} facts={senderFacts(data.sender)}>
          {!data.sender && <Text>{t('It is not said yet who sends, so that nothing is sent.')}</Text>}
          {isAdmin && (
            <Group>
              <SenderButton key={JSON.stringify(data.sender)} sender={data.sender} />
            </Group>
          )}
        </Facts>
      )}
    </Stack>
  )
}

const where = {
  header: t('Where'),
  cell: ({ country, states = [] }: Pick<Rule, 'country' | 'states'>) => [country, ...states].join(', '),
}
const standing = {
  header: t('State'),
  cell: ({ isActive }: { isActive?: boolean | undefined }) => (
    <StatusDot tone={isActive ? 'good' : 'idle'}>{isActive ? t('On') : t('Off')}</StatusDot>
  ),
}

const rules: Column<Rule>[] = [
  { header: t('Condition'), cell: ({ condition }) => condition },
  { header: t('Biomarkers'), cell: ({ biomarkers }) => biomarkers.join(', '), isMinor: true },
  {
    header: t('Answer'),
    cell: ({ answer }) =>
      answer.kind === 'above' ? t('above {limit} {unit}', { limit: answer.above, unit: answer.unit }) : t('positive'),
  },
  where,
  { header: t('Within hours'), cell: ({ withinHours }) => withinHours ?? t('Not known yet'), isMinor: true },
  { header: t('Signed by'), cell: ({ signedBy }) => signedBy ?? t('Not reviewed yet'), isMinor: true },
  standing,
]

const authorities: Column<Authority>[] = [
  { header: t('Authority'), cell: ({ name }) => name },
  where,
  {
    header: t('How it is told'),
    cell: ({ transport }) => (transport.kind === 'byHand' ? t('By hand') : transport.kind),
  },
  standing,
]

// Keyed by what is saved, so that the form begins with what another person saved meanwhile.
const changeRule: Column<Rule> = {
  header: t('What to do'),
  cell: (rule) => <RuleButton key={rule.changedDate} rule={rule} />,
  hasButtons: true,
}
const changeAuthority: Column<Authority> = {
  header: t('What to do'),
  cell: (authority) => <AuthorityButton key={JSON.stringify(authority)} authority={authority} />,
  hasButtons: true,
}

function senderFacts(sender: components['schemas']['NotifiableSender'] | undefined): [string, string | undefined][] {
  if (!sender) return []
  const { application, facility, ordering, provider } = sender
  const { name, street, city, state, zip, phone } = ordering
  const orderer = `${name}, ${street}, ${city}, ${state} ${zip}, ${phone}`
  return [
    [t('Sending application (MSH-3)'), `${application.name}, ${application.id}`],
    [t('Sending facility (MSH-4)'), `${facility.name}, ${facility.id}`],
    [t('Who orders the tests'), orderer],
    [t('The provider, where none approved the order'), provider && `${provider.name}, ${provider.npi}`],
  ]
}
