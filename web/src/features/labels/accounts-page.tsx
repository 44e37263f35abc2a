import { Button, Checkbox, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { moneyOf } from '../../components/money.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { type Account, bodyOf, type Draft, draftOf, groups } from './account-draft.ts'

const SERVICES = [
  { value: 'easypost', label: 'EasyPost' },
  { value: 'shippo', label: t('Shippo') },
] as const

/** The accounts at which shipping labels are bought. */
export function LabelAccountsPage() {
  const [provider, setProvider] = useState<Account['provider']>('easypost')
  const found = useRead('/operator/v1/label-accounts', {}, { every: 5000 })
  if (found.error && !found.data) return <ErrorAlert error={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Skeleton height={480} />
  const account = found.data.find((one) => one.provider === provider)
  return (
    <>
      <PageHeader
        title={t('Label accounts')}
        crumbs={[['labels', t('Shipping labels')]]}
        sentence={t('Where shipping labels are bought, and for which box. One account is in use at a time.')}
      />
      <Stack gap="lg" maw={800}>
        <SegmentedControl
          aria-label={t('Label service')}
          value={provider}
          onChange={(value) => setProvider(value === 'shippo' ? 'shippo' : 'easypost')}
          data={[...SERVICES]}
        />
        {account && <Tested account={account} />}
        <AccountForm key={provider} provider={provider} account={account} />
      </Stack>
    </>
  )
}

function Tested({ account: { provider, tested, hasSecretKey } }: { account: Account }) {
  const test = useWrite('post', '/operator/v1/label-accounts/{provider}/test')
  return (
    <Section title={t('Test')}>
      <Stack gap="xs" align="start">
        {tested && (
          <StatusDot tone={tested.isDone && tested.mode === 'live' ? 'good' : 'bad'}>
            {tested.mode === 'test'
              ? t('The key is one for tests: it buys no labels.')
              : (tested.sentence ?? (tested.isDone ? t('The account works.') : t('No carrier offers anything.')))}
          </StatusDot>
        )}
        {tested?.rates.map(({ carrier, service, amount, currency }) => (
          <Text key={`${carrier} ${service}`} size="sm">
            {`${carrier} · ${service} · ${moneyOf(amount, currency)}`}
          </Text>
        ))}
        {test.error && <ErrorAlert error={test.error} />}
        <Button
          variant="default"
          disabled={!hasSecretKey}
          loading={test.isPending}
          onClick={() => test.mutate({ params: { path: { provider } } })}
        >
          {t('Test the account')}
        </Button>
      </Stack>
    </Section>
  )
}

function AccountForm({ provider, account }: { provider: Account['provider']; account: Account | undefined }) {
  // What was saved meanwhile does not overwrite what is being typed.
  const [before] = useState(account)
  const [draft, setDraft] = useState<Draft>(() => draftOf(before))
  const save = useWrite('post', '/operator/v1/label-accounts/{provider}')
  const text = (key: string, value: string) =>
    setDraft((former) => ({ ...former, texts: { ...former.texts, [key]: value } }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(
      { params: { path: { provider } }, body: bodyOf(draft, before) },
      { onSuccess: () => notifications.show({ message: t('The account is saved') }) },
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        {groups.map(({ title, fields }) => (
          <Section key={title} title={title}>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              {fields.map(([key, label]) => (
                <TextInput
                  key={key}
                  label={label}
                  value={draft.texts[key] ?? ''}
                  type={key === 'secretKey' ? 'password' : 'text'}
                  autoComplete="off"
                  onChange={({ currentTarget }) => text(key, currentTarget.value)}
                />
              ))}
            </SimpleGrid>
          </Section>
        ))}
        <Checkbox
          label={t('Buy a return label with each kit, which is paid when it is used')}
          checked={draft.buysReturnLabels}
          onChange={({ currentTarget: { checked } }) =>
            setDraft((former) => ({ ...former, buysReturnLabels: checked }))
          }
        />
        <Checkbox
          label={t('Print labels of A6 instead of 4×6 inches')}
          disabled={provider === 'easypost'}
          checked={draft.isA6 && provider === 'shippo'}
          onChange={({ currentTarget: { checked } }) => setDraft((former) => ({ ...former, isA6: checked }))}
        />
        <Checkbox
          label={t('Buy labels from this account')}
          checked={draft.isActive}
          onChange={({ currentTarget: { checked } }) => setDraft((former) => ({ ...former, isActive: checked }))}
        />
        {save.error && <ErrorAlert error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('Save the account')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
