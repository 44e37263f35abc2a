import { SimpleGrid, Table } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import type { SystemHealth } from '../../api/operator-shapes.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import type { Tone } from '../../components/status-label.ts'
import { WideTable } from '../../components/wide-table.tsx'
import { locale, t } from '../../language/t.ts'
import { bytesText, durationText } from './amounts.ts'

export function SystemPage() {
  const system = useRead('/operator/v1/system')
  return (
    <>
      <PageHeader title={t('System')} sentence={t('The state of the service.')} />
      {system.error && <ErrorAlert error={system.error} retry={() => void system.refetch()} />}
      {system.data && <Health health={system.data} />}
    </>
  )
}

function Health({ health }: { health: SystemHealth }) {
  const { version, node, postgres, uptimeSeconds, memoryBytes, migrations, webhooks, mail, ledger } = health
  const state = (isGood: boolean, good: string, bad: string, tone: Tone = 'bad') => (
    <StatusDot tone={isGood ? 'good' : tone}>{isGood ? good : bad}</StatusDot>
  )
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <Section title={t('Health')}>
        <Facts
          label={t('Health')}
          rows={[
            [
              t('Ledger of credits'),
              ledger ? state(ledger.ok, t('Adds up'), t('Does not add up')) : t('Checked each night'),
            ],
            [t('Ledger checked'), <RelativeDate key="date" value={ledger?.checkedDate} />],
            [t('Mail'), state(mail.configured, t('Configured'), t('No mail server: e-mails are not sent'), 'fair')],
            [t('E-mails not sent'), state(mail.failed === 0, t('None'), String(mail.failed))],
            [t('Webhooks due'), webhooks.due.toLocaleString(locale())],
            [
              t('Failing endpoints'),
              state(webhooks.failingEndpoints === 0, t('None'), String(webhooks.failingEndpoints), 'fair'),
            ],
          ]}
        />
      </Section>
      <Section title={t('Versions and size')}>
        <Facts
          label={t('Versions and size')}
          rows={[
            ['Kitlane', version],
            ['Node.js', node],
            [t('Running for'), durationText(uptimeSeconds)],
            [t('Memory'), bytesText(memoryBytes)],
            [t('Businesses'), health.businesses.toLocaleString(locale())],
            [
              t('Kits, live and sandbox'),
              t('{live, number} and {sandbox, number}', { live: health.kits.live, sandbox: health.kits.sandbox }),
            ],
            [
              'PostgreSQL',
              postgres.embedded ? t('{version}, its own', { version: postgres.version }) : postgres.version,
            ],
            [t('Database'), bytesText(postgres.sizeBytes)],
            [t('Connections'), t('{used} of {most}', { used: postgres.connections, most: postgres.maxConnections })],
            [t('Migration'), String(migrations.version)],
          ]}
        />
      </Section>
    </SimpleGrid>
  )
}

function Facts({ label, rows }: { label: string; rows: [string, React.ReactNode][] }) {
  return (
    <WideTable label={label}>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td ta="right">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  )
}
