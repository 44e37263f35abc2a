import { Skeleton, Table, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'
import { termText } from './term-text.ts'

/** How long what is kept, for a business to read. */
export function RetentionTerms() {
  const { data, error, refetch } = useRead('/api/v1/retention')
  return (
    <Section title={t('How long records are kept')}>
      {error && !data && <ErrorAlert error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton height={180} />}
      {data && (
        <>
          <Table aria-label={t('Terms')}>
            <Table.Tbody>
              <Term name={t('Laboratory records')} what={t('Reports, results and files')} days={data.laboratoryDays} />
              <Term
                name={t('Requisitions')}
                what={t('Recipients, registrations, consents')}
                days={data.requisitionDays}
              />
              <Term
                name={t('Correspondence')}
                what={t('E-mails and messages of carriers; an erasure deletes them at once')}
                days={data.correspondenceDays}
              />
              <Term name={t('Audit')} what={t('Who did and read what; kept at least so long')} days={data.auditDays} />
            </Table.Tbody>
          </Table>
          <Text size="sm" c="dimmed">
            {data.byAge
              ? t('At the end of its term a record is deleted, whether or not the person was erased.')
              : t(
                  'The terms count for people who were erased: their laboratory records and requisitions stay sealed until then, and nobody here reads them. Records of others are kept without an end.',
                )}{' '}
            {t('A legal hold suspends the terms. The operator sets them.')}
          </Text>
        </>
      )}
    </Section>
  )
}

function Term({ name, what, days }: { name: string; what: string; days: number }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        {name}
        <Text size="xs" c="dimmed">
          {what}
        </Text>
      </Table.Th>
      <Table.Td ta="right">{termText(days)}</Table.Td>
    </Table.Tr>
  )
}
