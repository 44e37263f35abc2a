import { Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { Kit } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IdCell } from '../../components/id-text.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { DeveloperTabs } from '../../frame/developer-tabs.tsx'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { standingOf } from '../kits/kit-standing.ts'
import { LetTimePass } from './let-time-pass.tsx'

export function SandboxPage() {
  const path = useRealmPath()
  const { write } = usePermissions()
  const { nameOf } = usePanels()
  const kits = useRead('/api/v1/sandbox/kits')
  return (
    <>
      <PageHeader
        title={t('Developers')}
        sentence={t('Open a mock kit to advance it or to play a scenario. It sends the same webhooks as a live kit.')}
        actions={
          write && (
            <>
              <LetTimePass />
              <Reset />
            </>
          )
        }
      />
      <DeveloperTabs />
      <Stack gap="lg">
        <DataTable
          label={t('Mock kits')}
          rows={kits.data}
          error={kits.error}
          retry={() => void kits.refetch()}
          rowKey={({ kitID }) => kitID}
          href={({ kitID }) => path('kits', kitID)}
          columns={columnsOf(nameOf)}
          empty={{
            title: t('No mock kits'),
            text: t('Order one: in the sandbox it is free.'),
            action: write && (
              <Button component={Link} to={path('orders', 'new')}>
                {t('Order a kit')}
              </Button>
            ),
          }}
        />
        <Scenarios />
      </Stack>
    </>
  )
}

const columnsOf = (nameOf: (kitType: string) => string): Column<Kit>[] => [
  {
    header: t('Person'),
    cell: ({ registeredToEmail, recipientEmail }) => registeredToEmail || recipientEmail || t('Erased'),
  },
  { header: t('Panel'), cell: ({ kitType }) => nameOf(kitType) },
  {
    header: t('Where it is'),
    cell: (kit) => <StatusDot tone={standingOf(kit).tone}>{standingOf(kit).label}</StatusDot>,
  },
  { header: t('Last change'), cell: ({ lastUpdatedDate }) => <RelativeDate value={lastUpdatedDate} />, isMinor: true },
  { header: t('Kit'), cell: ({ kitID }) => <IdCell id={kitID} />, align: 'right', isMinor: true },
]

function Reset() {
  const reset = useWrite('post', '/api/v1/sandbox/reset')
  return (
    <ConfirmButton
      label={t('Reset the sandbox')}
      isDangerous
      typed="reset"
      sentence={t(
        'All sandbox orders, kits, reports and webhook history of this business are deleted. Live data is not affected.',
      )}
      action={() => reset.mutateAsync(undefined)}
      done={t('The sandbox is empty')}
    />
  )
}

function Scenarios() {
  const scenarios = useRead('/api/v1/sandbox/scenarios')
  if (!scenarios.data) return null
  return (
    <Sheet>
      <Group mb="xs">
        <Title order={2}>{t('Scenarios')}</Title>
      </Group>
      <WideTable label={t('Scenarios')} verticalSpacing={6}>
        <Table.Tbody>
          {scenarios.data.map(({ name, description }) => (
            <Table.Tr key={name}>
              <Table.Td w={180}>
                <Text ff="monospace" size="sm">
                  {name}
                </Text>
              </Table.Td>
              <Table.Td>{description}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Sheet>
  )
}
