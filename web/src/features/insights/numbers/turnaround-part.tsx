import { Group, Table, Text } from '@mantine/core'
import { WideTable } from '../../../components/wide-table.tsx'
import { t } from '../../../language/t.ts'
import css from './numbers.module.css'
import { Figures, Part } from './part.tsx'
import { countOf, legNames, type Turnaround, timeOf } from './shown.ts'

type LegRow = Turnaround['legs'][number]

interface TurnaroundPartProps {
  turnaround: Turnaround
  path: string
  filters: Record<string, string>
}

/** How long each leg took: a line from what half of the kits needed to what nineteen of twenty did, all on one scale. */
export function TurnaroundPart({ turnaround: { legs }, path, filters }: TurnaroundPartProps) {
  const longest = Math.max(1, ...legs.map(({ p95Hours }) => p95Hours ?? 0))
  return (
    <Part
      title={t('How long each step takes')}
      sentence={t('Only kits for which both ends of the step were recorded count.')}
      csv={path}
      filters={filters}
    >
      <Group gap="lg" mb={4} aria-hidden="true">
        <Text size="sm" c="dimmed" component="span">
          <span className={css.key}>
            <span className={css.half} />
          </span>{' '}
          {t('half of the kits within')}
        </Text>
        <Text size="sm" c="dimmed" component="span">
          <span className={css.key}>
            <span className={css.most} />
          </span>{' '}
          {t('95 of 100 within')}
        </Text>
      </Group>
      {legs.map((leg) => (
        <Leg key={leg.leg} leg={leg} longest={longest} />
      ))}
      <Figures label={t('As a table')}>
        <LegTable legs={legs} />
      </Figures>
    </Part>
  )
}

function Leg({ leg: { leg, kits, p50Hours, p95Hours }, longest }: { leg: LegRow; longest: number }) {
  const at = (hours: number) => `${(hours / longest) * 100}%`
  return (
    <div className={`${css.row} ${css.leg} ${leg === 'orderedToReported' ? css.whole : ''}`}>
      <span>{legNames[leg]}</span>
      <div className={`${css.track} ${css.scale}`} aria-hidden="true">
        {p50Hours !== null && p95Hours !== null && (
          <>
            <div className={css.span} style={{ left: at(p50Hours), width: at(p95Hours - p50Hours) }} />
            <div className={css.half} style={{ left: at(p50Hours) }} />
            <div className={css.most} style={{ left: at(p95Hours) }} />
          </>
        )}
      </div>
      {p50Hours === null || p95Hours === null ? (
        <span className={css.value}>
          <span>
            {kits === 0 ? t('No kits yet') : t('Too few: {kits, plural, one {# kit} other {# kits}}', { kits })}
          </span>
        </span>
      ) : (
        <span className={`${css.value} ${css.pair} ${css.wide}`}>
          <strong>{timeOf(p50Hours)}</strong>
          <span>{t('95 of 100: {time}', { time: timeOf(p95Hours) })}</span>
        </span>
      )}
    </div>
  )
}

function LegTable({ legs }: { legs: readonly LegRow[] }) {
  return (
    <WideTable label={t('How long each step takes')} verticalSpacing={6} maw={720}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('Step')}</Table.Th>
          <Table.Th scope="col" ta="right">
            {t('Kits')}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {t('Half within')}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {t('95 of 100 within')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {legs.map(({ leg, kits, p50Hours, p95Hours }) => (
          <Table.Tr key={leg}>
            <Table.Th scope="row" fw={400}>
              {legNames[leg]}
            </Table.Th>
            <Table.Td ta="right">{countOf(kits)}</Table.Td>
            <Table.Td ta="right" className={css.cell}>
              {p50Hours === null ? t('Too few') : timeOf(p50Hours)}
            </Table.Td>
            <Table.Td ta="right" className={css.cell}>
              {p95Hours === null ? t('Too few') : timeOf(p95Hours)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  )
}
