import type { components } from '@kitlane/client'
import { Alert, Button, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { PageLink } from '../../components/page-link.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { rich, t } from '../../language/t.ts'
import { ResultFlag } from '../reports/result-flag.tsx'

type Message = components['schemas']['LabMessage']

export const sexes = { F: t('female'), M: t('male') } as const
/** Enough for most panels; a message may have a thousand values. */
const SHOWN = 12

/** Which kit and which person a message names. */
export function MessageFacts({ message: { kitID, patient } }: { message: Message }) {
  const { name, dateOfBirth, sex } = patient ?? {}
  const person = [name, dateOfBirth && t('born {dateOfBirth}', { dateOfBirth }), sex && sexes[sex]]
    .filter(Boolean)
    .join(', ')
  return (
    <Text>
      {kitID
        ? rich('Kit <link>{kitID}</link>', {
            link: (words) => (
              <PageLink to={`/operator/kits/${kitID}`} ff="monospace">
                {words}
              </PageLink>
            ),
            kitID,
          })
        : t('No kit named')}
      {' · '}
      {person || t('no patient named')}
    </Text>
  )
}

/** The values of a message, critical ones marked and first. */
export function MessageValues({ values }: { values: Message['values'] }) {
  const [isWhole, { open }] = useDisclosure()
  const critical = values.filter((value) => value.critical)
  const sorted = [...critical, ...values.filter((value) => !value.critical)]
  // Critical values are shown without a click.
  const shown = isWhole ? sorted : sorted.slice(0, Math.max(SHOWN, critical.length))
  return (
    <>
      {critical.length > 0 && (
        <Alert
          color="red"
          title={t(
            '{count, plural, one {# critical result. Find the person now.} other {# critical results. Find the person now.}}',
            { count: critical.length },
          )}
        />
      )}
      <WideTable label={t('Values of the message')}>
        <Table.Thead>
          <Table.Tr>
            {[t('Name'), t('Result'), t('Flag'), t('Range')].map((header) => (
              <Table.Th key={header} scope="col">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ name, value, unit, range, flag, critical: isCritical }, index) => (
            <Table.Tr key={index}>
              <Table.Td fw={isCritical ? 600 : undefined}>{name || t('No name')}</Table.Td>
              <Table.Td ff="monospace">{[value || t('no value'), unit].filter(Boolean).join(' ')}</Table.Td>
              <Table.Td>
                <ResultFlag flag={flag} critical={isCritical} />
              </Table.Td>
              <Table.Td>{range || t('None')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      {shown.length < sorted.length && (
        <Button variant="subtle" onClick={open}>
          {t('Show all {count} results', { count: sorted.length })}
        </Button>
      )}
    </>
  )
}
