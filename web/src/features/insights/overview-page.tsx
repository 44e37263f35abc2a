import { Button, Grid, Skeleton, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import type { Overview } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'
import { CreditsLeft } from './credits-left.tsx'
import { DaysChart } from './days-chart.tsx'
import { FirstSteps } from './first-steps.tsx'
import { KitsByStage } from './kits-by-stage.tsx'
import { StandingSentence } from './standing-sentence.tsx'
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
