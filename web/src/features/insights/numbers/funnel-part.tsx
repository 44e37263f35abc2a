import { Table, Text } from '@mantine/core'
import { dayOf } from '../../../components/relative-date.tsx'
import { WideTable } from '../../../components/wide-table.tsx'
import { t } from '../../../language/t.ts'
import css from './numbers.module.css'
import { Figures, Part } from './part.tsx'
import { cohortOf, countOf, type Funnel, percentOf, steps } from './shown.ts'

interface FunnelPartProps {
  funnel: Funnel
  path: string
  filters: Record<string, string>
}

/** How many of the ordered kits came to each step, as bars with their numbers. */
export function FunnelPart({ funnel, path, filters }: FunnelPartProps) {
  const { total, rows, from, to } = funnel
  const ended = [
    total.rejected > 0 && t('{count} rejected', { count: countOf(total.rejected) }),
    total.failed > 0 && t('{count} failed', { count: countOf(total.failed) }),
    total.canceled > 0 && t('{count} canceled', { count: countOf(total.canceled) }),
  ].filter(Boolean)
  return (
    <Part
      title={t('How far kits came')}
      sentence={t('{count, plural, one {# kit} other {# kits}} ordered from {from} to {to}.', {
        count: total.ordered,
        from: dayOf(from),
        to: dayOf(to),
      })}
      csv={path}
      filters={filters}
    >
      {steps.map(([step, label]) => (
        <div key={step} className={css.row}>
          <span>{label}</span>
          <div className={css.track} aria-hidden="true">
            <div className={css.bar} style={{ width: `${shareAt(total, step) * 100}%` }} />
          </div>
          <span className={`${css.value} ${css.pair}`}>
            <strong>{countOf(total[step])}</strong>
            <span>{percentOf(shareAt(total, step))}</span>
          </span>
        </div>
      ))}
      {ended.length > 0 && (
        <Text size="sm" mt="xs">
          {t('Did not get there: {list}.', { list: ended.join(', ') })}
        </Text>
      )}
      {inferredOf(total).length > 0 && (
        <Text size="sm" mt="xs">
          {t('Not recorded, but certain from a later step: {list}.', { list: inferredOf(total).join(', ') })}
        </Text>
      )}
      {total.unregistered > 0 && (
        <Text size="sm" mt="xs">
          {t(
            '{count, plural, one {The sample of # kit that nobody registered is on its way or has come: it does not count as registered.} other {The samples of # kits that nobody registered are on their way or have come: they do not count as registered.}}',
            { count: total.unregistered },
          )}
        </Text>
      )}
      <Figures
        label={filters.per === 'month' ? t('By month of ordering') : t('By week of ordering')}
        isOpen={filters.per !== undefined || filters.by !== undefined}
      >
        <FunnelTable rows={rows} per={filters.per} />
      </Figures>
    </Part>
  )
}

const inferredOf = ({ inferred }: Funnel['total']): string[] =>
  [
    inferred.delivered > 0 && t('{count} delivered', { count: countOf(inferred.delivered) }),
    inferred.returned > 0 && t('{count} samples returned', { count: countOf(inferred.returned) }),
    inferred.received > 0 && t('{count} samples received', { count: countOf(inferred.received) }),
  ].filter((words) => words !== false)

const shareAt = (total: Funnel['total'], step: (typeof steps)[number][0]): number =>
  step === 'ordered' ? 1 : total.shares[step]

function FunnelTable({ rows, per }: { rows: Funnel['rows']; per: string | undefined }) {
  const isNamed = rows.some(({ name }) => name !== undefined)
  return (
    <WideTable label={t('Kits by when they were ordered')} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{per === 'month' ? t('Month') : t('Week of')}</Table.Th>
          {isNamed && <Table.Th scope="col">{t('Of')}</Table.Th>}
          {[...steps.map(([, label]) => label), t('Rejected'), t('Failed'), t('Canceled')].map((label) => (
            <Table.Th key={label} scope="col" ta="right">
              {label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={`${row.cohort} ${row.key ?? ''}`}>
            <Table.Th scope="row" fw={400} className={css.cell}>
              {cohortOf(row.cohort, per)}
            </Table.Th>
            {isNamed && <Table.Td>{row.name}</Table.Td>}
            {[...steps.map(([step]) => step), ...(['rejected', 'failed', 'canceled'] as const)].map((key) => (
              <Table.Td key={key} ta="right">
                {countOf(row[key])}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  )
}
