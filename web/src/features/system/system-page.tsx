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
import { bytesText, durationText } from './amounts.ts'

export function SystemPage() {
  const system = useRead('/operator/v1/system')
  return (
    <>
      <PageHeader title="System" sentence="The state of the service." />
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
      <Section title="Health">
        <Facts
          label="Health"
          rows={[
            ['Ledger of credits', ledger ? state(ledger.ok, 'Adds up', 'Does not add up') : 'Checked each night'],
            ['Ledger checked', <RelativeDate key="date" value={ledger?.checkedDate} />],
            ['Mail', state(mail.configured, 'Configured', 'No mail server: e-mails are not sent', 'fair')],
            ['E-mails not sent', state(mail.failed === 0, 'None', String(mail.failed))],
            ['Webhooks due', webhooks.due.toLocaleString('en')],
            [
              'Failing endpoints',
              state(webhooks.failingEndpoints === 0, 'None', String(webhooks.failingEndpoints), 'fair'),
            ],
          ]}
        />
      </Section>
      <Section title="Versions and size">
        <Facts
          label="Versions and size"
          rows={[
            ['Kitlane', version],
            ['Node', node],
            ['Running for', durationText(uptimeSeconds)],
            ['Memory', bytesText(memoryBytes)],
            ['Businesses', health.businesses.toLocaleString('en')],
            [
              'Kits, live and sandbox',
              `${health.kits.live.toLocaleString('en')} and ${health.kits.sandbox.toLocaleString('en')}`,
            ],
            ['PostgreSQL', `${postgres.version}${postgres.embedded ? ', its own' : ''}`],
            ['Database', bytesText(postgres.sizeBytes)],
            ['Connections', `${postgres.connections} of ${postgres.maxConnections}`],
            ['Migration', String(migrations.version)],
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
