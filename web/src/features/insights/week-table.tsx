import { Table, Text, Title } from '@mantine/core'
import type { Overview } from '../../api/shapes.ts'
import { dayOf } from '../../components/relative-date.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { locale, t } from '../../language/t.ts'
import css from './overview.module.css'
import { weekOf } from './week.ts'

const weekday = new Intl.DateTimeFormat(locale(), { weekday: 'short', timeZone: 'UTC' })

/** The last seven days, day by day, and the seven before. Absent where nothing happened in both. */
export function WeekTable({ days }: { days: Overview['days'] }) {
  const { dates, rows } = weekOf(days)
  if (rows.length === 0) return null
  return (
    <Sheet aria-label={t('This week')}>
      <Title order={2} mb="xs">
        {t('This week')}
      </Title>
      <WideTable
        label={t('The last seven days')}
        className={css.week}
        verticalSpacing="var(--k-row)"
        horizontalSpacing={8}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            {dates.map((date) => (
              <Table.Th key={date} scope="col" ta="right" title={dayOf(date)} visibleFrom="xs">
                {weekday.format(new Date(date))}
              </Table.Th>
            ))}
            <Table.Th scope="col" ta="right">
              {t('7 days')}
            </Table.Th>
            <Table.Th scope="col" ta="right">
              {t('Before')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, counts, total, before }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              {counts.map((count, index) => (
                <Table.Td key={dates[index]} ta="right" visibleFrom="xs">
                  {count === 0 ? (
                    <Text component="span" c="dimmed">
                      ·
                    </Text>
                  ) : (
                    count.toLocaleString(locale())
                  )}
                </Table.Td>
              ))}
              <Table.Td ta="right" fw={600}>
                {total.toLocaleString(locale())}
              </Table.Td>
              <Table.Td ta="right" c="dimmed">
                {before === 0 ? '·' : before.toLocaleString(locale())}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Sheet>
  )
}
