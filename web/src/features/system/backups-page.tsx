import { Code, Stack, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import type { Backup, BackupList } from '../../api/operator-shapes.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Facts } from '../../components/facts.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { WarningAlert } from '../../components/warning-alert.tsx'
import { rich, t } from '../../language/t.ts'
import { bytesText } from './amounts.ts'

/** The last backups, whether they can be relied on, and when the next one is made. */
export function BackupsPage() {
  const { data, error, refetch } = useRead('/operator/v1/backups')
  const warning = data && warningOf(data)
  return (
    <>
      <PageHeader
        title={t('Backups')}
        sentence={t('Copies of everything, encrypted: the database, its jobs, and the files.')}
      />
      <TwoColumns
        left={
          <>
            {warning && <WarningAlert title={warning.title}>{warning.todo}</WarningAlert>}
            <DataTable
              label={t('Backups')}
              rows={data?.backups}
              error={error}
              retry={() => void refetch()}
              rowKey={({ id }) => id}
              columns={columns}
              empty={{
                title: t('No backup was made yet'),
                text: data?.schedule
                  ? t(
                      'A worker makes the first one within ten minutes. If none appears, see under System whether a worker runs.',
                    )
                  : t(
                      'Until there is a schedule, one is made only by the command kitlane backup. Copies by other tools are not listed here.',
                    ),
              }}
            />
          </>
        }
        right={data && <Aside data={data} />}
      />
    </>
  )
}

const columns: Column<Backup>[] = [
  { header: t('As of'), cell: ({ startedDate }) => <RelativeDate value={startedDate} /> },
  { header: t('Outcome'), cell: (backup) => <Outcome backup={backup} /> },
  { header: t('Size'), align: 'right', cell: sizeOf },
  { header: t('Holds'), cell: (backup) => <Holds backup={backup} />, isMinor: true },
  { header: t('Took'), align: 'right', cell: secondsOf, isMinor: true },
  { header: t('Place'), cell: ({ location }) => <Place location={location} /> },
]

function sizeOf({ bytes }: Backup) {
  return (
    <Text span style={{ whiteSpace: 'nowrap' }}>
      {bytes === undefined ? '–' : bytesText(bytes)}
    </Text>
  )
}

/** The name of the file in full: it is what a restore is called with. The folder breaks where it must. */
function Place({ location }: { location: string }) {
  const name = location.lastIndexOf('/') + 1
  return (
    <Text size="sm" miw={180} style={{ overflowWrap: 'anywhere' }}>
      <Text span size="sm" c="dimmed">
        {location.slice(0, name)}
      </Text>
      {location.slice(name)}
    </Text>
  )
}

function Outcome({ backup: { ok, failure, checkedDate } }: { backup: Backup }) {
  if (!ok) return <StatusDot tone="bad">{t('Failed: {reason}', { reason: failure ?? t('unknown') })}</StatusDot>
  if (!checkedDate) return <StatusDot tone="fair">{t('Made, not read back')}</StatusDot>
  return (
    <>
      <StatusDot tone="good">{t('Whole')}</StatusDot>
      <Text size="xs" c="dimmed">
        {rich('Read to its end {when}', { when: <RelativeDate value={checkedDate} /> })}
      </Text>
    </>
  )
}

function Holds({ backup: { rows, files } }: { backup: Backup }) {
  if (rows === undefined) return <>–</>
  return t('{rows, plural, one {# row} other {# rows}}, {files, plural, one {# file} other {# files}}', {
    rows,
    files: files ?? 0,
  })
}

function secondsOf({ ok, startedDate, endedDate }: Backup): string {
  if (!ok) return '–'
  const seconds = Math.round((Date.parse(endedDate) - Date.parse(startedDate)) / 1000)
  return seconds < 120 ? `${seconds} s` : t('{minutes} min', { minutes: Math.round(seconds / 60) })
}

const code = (words: React.ReactNode) => <Code>{words}</Code>

/** The first thing that a person has to do before these backups can be relied on. */
function warningOf({ schedule, backups }: BackupList): { title: string; todo: React.ReactNode } | undefined {
  const [newest] = backups
  if (!schedule)
    return {
      title: t('No backup is made by itself'),
      todo: rich(
        'Everything is lost with the disk. Set <code>BACKUP_TO</code> to a folder on another disk or to <code>s3://bucket/prefix/</code>, and restart.',
        { code },
      ),
    }
  if (newest && !newest.ok)
    return {
      title: t('The last backup failed'),
      todo: t(
        'It is tried again every ten minutes. Look whether the place can be reached and has space: kitlane doctor says what is wrong.',
      ),
    }
  const made = backups.find(({ ok }) => ok)
  if (made && !made.checkedDate)
    return {
      title: t('The last backup was not read back'),
      todo: rich(
        'The service has the public key alone. Check it where the secret key is: <code>kitlane restore --check</code>.',
        { code },
      ),
    }
  return undefined
}

function Aside({ data: { schedule, backups } }: { data: BackupList }) {
  const made = backups.find(({ ok }) => ok)
  return (
    <Stack>
      <Facts
        title={t('Schedule')}
        facts={[
          [t('Newest'), made ? <RelativeDate key="newest" value={made.startedDate} /> : t('None')],
          [
            t('Next'),
            schedule ? <RelativeDate key="next" value={schedule.nextDate} /> : t('Only when somebody makes one'),
          ],
          ...(schedule ? factsOf(schedule) : []),
        ]}
      />
      <Facts title={t('To rely on them')}>
        <Text size="sm">
          {t(
            'Keep the encryption key and the backup key elsewhere, apart from each other: without both, a backup is worthless.',
          )}
        </Text>
        <Text size="sm">
          {t(
            'A backup that was read to its end is whole. That it brings the service back, only a restore shows. Into an empty server, now and then:',
          )}
        </Text>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          kitlane restore {made?.location ?? '<backup>'}
        </Code>
        <Text size="sm">
          {t(
            'It compares every row, and proves the ledger, the audit and the lists. Its result is printed there; this service does not learn of it.',
          )}
        </Text>
      </Facts>
    </Stack>
  )
}

const factsOf = ({ everyHours, hour, to, keep }: NonNullable<BackupList['schedule']>): [string, React.ReactNode][] => [
  [
    t('Every'),
    t('{hours, plural, one {# hour} other {# hours}}, from {time} UTC', {
      hours: everyHours,
      time: `${String(hour).padStart(2, '0')}:00`,
    }),
  ],
  [t('Place'), to],
  [t('Kept'), t('{count, plural, one {# backup} other {# backups}}', { count: keep })],
]
