import { Button, Grid, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { Overview } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Section } from '../../components/section.tsx'
import { StatusShape } from '../../components/status-dot.tsx'
import { locale, t } from '../../language/t.ts'
import { eventLabel } from '../kits/labels.ts'
import { CreditsLeft } from './credits-left.tsx'
import { DaysChart } from './days-chart.tsx'
import { FirstSteps } from './first-steps.tsx'
import css from './overview.module.css'
import { standingOf } from './standing.ts'
import { Stream } from './stream.tsx'
import { WeekTable } from './week-table.tsx'

export function OverviewPage() {
  const overview = useRead('/api/v1/overview')
  const path = useRealmPath()
  const { write } = usePermissions()
  return (
    <>
      <PageHeader
        title={t('Overview')}
        actions={
          write && (
            <Button component={Link} to={path('orders', 'new')}>
              {t('New order')}
            </Button>
          )
        }
      />
      {overview.error && !overview.data && <ErrorAlert error={overview.error} retry={() => void overview.refetch()} />}
      {overview.isPending && <Waiting />}
      {overview.data && <View overview={overview.data} />}
    </>
  )
}

function View({ overview }: { overview: Overview }) {
  if (overview.orders.total === 0) return <FirstSteps credits={overview.credits} />
  return (
    <Stack gap="xl">
      <StandingSentence overview={overview} />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="xl">
            <WeekTable days={overview.days} />
            <Stream />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="xl">
            <Section title={t('Last 30 days')}>
              <DaysChart days={overview.days} />
            </Section>
            <Section title={t('Where the kits are')}>
              <KitsByStage kits={overview.kits} />
            </Section>
            <Section title={t('Credits')}>
              <CreditsLeft credits={overview.credits} />
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  )
}

function Waiting() {
  return (
    <Stack gap="xl">
      <Skeleton height={64} maw={640} />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Skeleton height={320} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Skeleton height={320} />
        </Grid.Col>
      </Grid>
    </Stack>
  )
}

/** The number of kits at each stage that has any, as bars. */
function KitsByStage({ kits }: { kits: Overview['kits'] }) {
  const shown = kits.filter(({ count }) => count > 0)
  const most = Math.max(1, ...kits.map(({ count }) => count))
  return (
    <Stack gap={6}>
      {shown.map(({ stage, count }) => (
        <div key={stage} className={css.row}>
          <Text size="sm">{stage === 'reportReady' ? t('Report in review or published') : eventLabel(stage)}</Text>
          <div className={css.track}>
            <div className={css.bar} style={{ width: `${(count / most) * 100}%` }} />
          </div>
          <Text size="sm" className={css.count}>
            {count.toLocaleString(locale())}
          </Text>
        </div>
      ))}
    </Stack>
  )
}

/** How the business stands, in one sentence; each part leads to what it counts. */
function StandingSentence({ overview }: { overview: Overview }) {
  const path = useRealmPath()
  const parts = standingOf(overview)
  if (parts.length === 0)
    return <p className={css.sentence}>{t('Nothing is on its way, and nothing waits for you.')}</p>
  return (
    <p className={css.sentence}>
      {parts.map(({ words, tone, to, filter }, index) => (
        <Fragment key={words}>
          {index > 0 && (index === parts.length - 1 ? ` ${t('and')} ` : ', ')}
          {tone && (
            <>
              <StatusShape tone={tone} />{' '}
            </>
          )}
          <Link to={path(...to)} search={filter}>
            {words}
          </Link>
        </Fragment>
      ))}
      .
    </p>
  )
}
