import { Button, Grid, Paper, Skeleton, Stack, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import type { Overview } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Attention } from './attention.tsx'
import { CreditsLeft } from './credits-left.tsx'
import { DaysChart } from './days-chart.tsx'
import { FirstSteps } from './first-steps.tsx'
import { KitsByStage } from './kits-by-stage.tsx'
import { Numbers } from './numbers.tsx'

export function OverviewPage() {
  const overview = useRead('/api/v1/overview')
  const path = useRealmPath()
  const { write } = usePermissions()
  return (
    <>
      <PageHeader
        title="Overview"
        actions={
          write && (
            <Button component={Link} to={path('orders', 'new')}>
              New order
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
    <Stack gap="lg">
      <Attention items={overview.attention} />
      <Numbers overview={overview} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Box title="Last 30 days">
            <DaysChart days={overview.days} />
          </Box>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Box title="Credits">
            <CreditsLeft credits={overview.credits} />
          </Box>
        </Grid.Col>
        <Grid.Col span={12}>
          <Box title="Where the kits are">
            <KitsByStage kits={overview.kits} />
          </Box>
        </Grid.Col>
      </Grid>
    </Stack>
  )
}

function Box({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Paper withBorder p="lg" h="100%" component="section">
      <Title order={2} mb="md">
        {title}
      </Title>
      {children}
    </Paper>
  )
}

function Waiting() {
  return (
    <Stack gap="lg">
      <Skeleton height={88} />
      <Grid gap="lg">
        <Grid.Col span={7}>
          <Skeleton height={260} />
        </Grid.Col>
        <Grid.Col span={5}>
          <Skeleton height={260} />
        </Grid.Col>
      </Grid>
    </Stack>
  )
}
