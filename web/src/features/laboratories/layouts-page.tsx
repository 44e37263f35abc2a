import type { components } from '@kitlane/client'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { LayoutEditor } from './layout-editor.tsx'

type Version = components['schemas']['LayoutVersion']

/** Layout templates: how documents of a laboratory are laid out, tried on samples before they count. */
export function LayoutsPage() {
  const list = useRead('/operator/v1/layout-templates')
  const switchOff = useWrite('post', '/operator/v1/layout-templates/{name}/switch-off')
  const [edited, setEdited] = useState<Version>()
  const columns: Column<Version>[] = [
    { header: t('Name'), cell: ({ name }) => name },
    { header: t('Version'), cell: ({ version }) => version, align: 'right' },
    { header: t('Format'), cell: ({ template }) => template.format.toUpperCase(), isMinor: true },
    { header: t('Saved'), cell: ({ createdDate }) => <RelativeDate value={createdDate} />, isMinor: true },
    { header: t('State'), cell: State },
    {
      header: '',
      hasButtons: true,
      cell: (one) => (
        <Group gap="xs" wrap="nowrap" justify="flex-end">
          <ConfirmButton
            label={t('Edit')}
            size="compact-sm"
            sentence={t('Puts this version into the editor below, in place of what is there.')}
            action={async () => setEdited(one)}
          />
          {one.isOn && (
            <ConfirmButton
              label={t('Switch off')}
              size="compact-sm"
              isDangerous
              sentence={t('The newest other version that is on counts; without one, such documents wait for a person.')}
              action={() =>
                switchOff.mutateAsync({ params: { path: { name: one.name } }, body: { version: one.version } })
              }
              done={t('Version {version} of {name} is off', { version: one.version, name: one.name })}
            />
          )}
        </Group>
      ),
    },
  ]
  return (
    <Stack maw={960}>
      <PageHeader
        title={t('Layout templates')}
        sentence={t(
          "They teach the headings and labels of a laboratory's PDF or CSV. Files that are uploaded from now on are read with them; what is not certain still waits.",
        )}
      />
      <DataTable
        label={t('Layout templates')}
        rows={list.data}
        error={list.error}
        retry={() => void list.refetch()}
        columns={columns}
        rowKey={({ name, version }) => `${name} ${version}`}
        empty={{ title: t('No layout templates'), text: t('Documents are read by the headings that Kitlane knows.') }}
      />
      <LayoutEditor key={edited ? `${edited.name} ${edited.version}` : 'new'} template={edited?.template} />
    </Stack>
  )
}

function State({ isOn, counts }: Version) {
  if (!isOn) return <Text c="dimmed">{t('Off')}</Text>
  return counts ? (
    <Badge tt="none" variant="light">
      {t('Counts')}
    </Badge>
  ) : (
    <Text c="dimmed">{t('Replaced')}</Text>
  )
}
