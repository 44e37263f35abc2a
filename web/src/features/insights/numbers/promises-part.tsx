import { Table, Text } from '@mantine/core'
import { WideTable } from '../../../components/wide-table.tsx'
import { t } from '../../../language/t.ts'
import css from './numbers.module.css'
import { Part } from './part.tsx'
import { countOf, type Promises, percentOf } from './shown.ts'

interface PromisesPartProps {
  promises: Promises
  path: string
  filters: Record<string, string>
  /** Shown where nothing is promised. */
  help: string
}

/** How often reports came by the day on which they were promised. */
export function PromisesPart({ promises: { rows }, path, filters, help }: PromisesPartProps) {
  const sum = (of: (row: Promises['rows'][number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  const [inTime, overdue] = [sum((row) => row.kept), sum((row) => row.overdue)]
  const due = inTime + overdue + sum((row) => row.late)
  const sentence =
    rows.length === 0
      ? help
      : due === 0
        ? t('No promised day is over yet.')
        : [
            t('{kept, number} of {due, plural, one {# promised report} other {# promised reports}} came in time.', {
              kept: inTime,
              due,
            }),
            overdue > 0 && t('{count, plural, one {# is} other {# are}} overdue now.', { count: overdue }),
          ]
            .filter(Boolean)
            .join(' ')
  return (
    <Part title={t('How often promises were kept')} sentence={sentence} csv={path} filters={filters}>
      {rows.length > 0 && (
        <WideTable label={t('How often promises were kept')} verticalSpacing={6} maw={820}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('Panel')}</Table.Th>
              {[t('Promised'), t('In time'), t('Late'), t('Overdue now'), t('Still time'), t('Kept')].map((name) => (
                <Table.Th key={name} scope="col" ta="right">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ type, name, promised, kept, late, overdue, open, keptShare }) => (
              <Table.Tr key={type}>
                <Table.Th scope="row" fw={400}>
                  {name}
                </Table.Th>
                <Table.Td ta="right">{countOf(promised)}</Table.Td>
                <Table.Td ta="right">{countOf(kept)}</Table.Td>
                <Table.Td ta="right">{countOf(late)}</Table.Td>
                <Table.Td ta="right">
                  {overdue > 0 ? (
                    <Text span fw={600}>
                      ▲ {countOf(overdue)}
                    </Text>
                  ) : (
                    countOf(overdue)
                  )}
                </Table.Td>
                <Table.Td ta="right">{countOf(open)}</Table.Td>
                <Table.Td ta="right" className={css.cell}>
                  {keptShare === null ? t('Too few') : percentOf(keptShare)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </WideTable>
      )}
    </Part>
  )
}
