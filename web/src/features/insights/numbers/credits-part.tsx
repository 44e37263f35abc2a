import { Table, Text } from '@mantine/core'
import { dayOf } from '../../../components/relative-date.tsx'
import { WideTable } from '../../../components/wide-table.tsx'
import { t } from '../../../language/t.ts'
import css from './numbers.module.css'
import { Figures, Part } from './part.tsx'
import { type CreditsUsed, countOf } from './shown.ts'

interface CreditsPartProps {
  credits: CreditsUsed
  path: string
  filters: Record<string, string>
}

/** For how long the credits will do, each in a sentence, and how many were used in each week. */
export function CreditsPart({ credits: { forecasts, weeks }, path, filters }: CreditsPartProps) {
  const names = new Map(forecasts.map(({ type, name }) => [type, name]))
  const used = forecasts.filter(({ daysLeft }) => daysLeft !== null)
  const unused = forecasts.filter(({ daysLeft }) => daysLeft === null)
  return (
    <Part
      title={t('Credits')}
      sentence={t(
        'A plain forecast, what runs out first on top: as if each day used as many as the mean of the last 28 days.',
      )}
      csv={path}
      filters={filters}
    >
      {forecasts.length === 0 && <Text size="sm">{t('No credits were granted yet.')}</Text>}
      <Forecasts forecasts={used} />
      {unused.length > 0 && (
        <Figures label={t('{count} not used in the last 28 days', { count: countOf(unused.length) })}>
          <Forecasts forecasts={unused} />
        </Figures>
      )}
      {weeks.length > 0 && (
        <Figures label={t('Used by week')}>
          <WideTable label={t('Credits used by week')} verticalSpacing={6} maw={720}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('Week of')}</Table.Th>
                <Table.Th scope="col">{t('Panel')}</Table.Th>
                <Table.Th scope="col" ta="right">
                  {t('Used')}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {weeks.map(({ week, type, used }) => (
                <Table.Tr key={`${week} ${type}`}>
                  <Table.Th scope="row" fw={400}>
                    {dayOf(week)}
                  </Table.Th>
                  <Table.Td>{names.get(type) ?? type}</Table.Td>
                  <Table.Td ta="right">{countOf(used)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </WideTable>
        </Figures>
      )}
    </Part>
  )
}

function Forecasts({ forecasts }: { forecasts: CreditsUsed['forecasts'] }) {
  return (
    <div>
      {forecasts.map(({ businessID, business, type, name, available, words }) => (
        <div key={`${businessID ?? ''} ${type}`} className={css.forecast}>
          <Text fw={600} component="span">
            {business === undefined ? name : `${business}: ${name}`}
          </Text>
          <span>
            <strong>{t('{count} left.', { count: countOf(available) })}</strong> {words}
          </span>
        </div>
      ))}
    </div>
  )
}
