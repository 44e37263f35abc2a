import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'

const stations = [
  { key: 'toPack', path: 'pack', label: 'Kits to pack', icon: 'pack' },
  { key: 'toReceive', path: 'intake', label: 'Samples on their way', icon: 'scan' },
  { key: 'atTheDoor', path: 'intake', label: 'Samples that have arrived', icon: 'kit' },
  { key: 'inReview', path: 'review', label: 'Reports to review', icon: 'review' },
  { key: 'critical', path: 'critical', label: 'Critical results', icon: 'warning' },
  { key: 'unassessed', path: 'unassessed', label: 'Results not assessed', icon: 'warning' },
  { key: 'unmatched', path: 'unmatched', label: 'Results without a kit', icon: 'link' },
  { key: 'uploadsToReview', path: 'uploads', label: 'Uploads to review', icon: 'upload' },
  { key: 'lateKits', path: 'pack', label: 'Kits that are late', icon: 'warning' },
  { key: 'unmatchedParcels', path: 'parcels', label: 'Unknown parcels', icon: 'warning' },
  { key: 'alarms', path: 'alarms', label: 'Alarms', icon: 'warning' },
  { key: 'failedJobs', path: 'jobs', label: 'Failed jobs', icon: 'event' },
  { key: 'failedEmails', path: 'mail?status=failed', label: 'E-mails not sent', icon: 'mail' },
] as const satisfies readonly { key: string; path: string; label: string; icon: IconName }[]

/** What waits at each station of the person's role. */
export function OverviewPage() {
  const overview = useRead('/operator/v1/overview')
  const counts = overview.data
  const shown = stations.filter(({ key }) => counts === undefined || counts[key] !== undefined)
  return (
    <>
      <PageHeader title="Overview" sentence="What is waiting at each station." />
      {overview.error && <ErrorAlert error={overview.error} retry={() => void overview.refetch()} />}
      {counts && shown.length === 0 && (
        <EmptyState
          title="Nothing to do here"
          text="Your role has no station. Ask an administrator for another role."
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        {!overview.error && shown.map(({ key, ...rest }) => <Station key={key} {...rest} count={counts?.[key]} />)}
      </SimpleGrid>
    </>
  )
}

interface StationProps {
  path: string
  label: string
  icon: IconName
  count: number | undefined
}

function Station({ path, label, icon, count }: StationProps) {
  return (
    <Paper withBorder p="md">
      {count === undefined ? (
        <Skeleton height={42} />
      ) : (
        <Text fz={32} lh={1.3} fw={600} c={count === 0 ? 'dimmed' : undefined}>
          {count.toLocaleString('en')}
        </Text>
      )}
      <PageLink to={`/operator/${path}`}>
        <Icon name={icon} size={14} /> {label}
      </PageLink>
    </Paper>
  )
}
