import { XLSX } from '@kitlane/display/workbook-kind'
import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { fetchRaw } from '../api/client.ts'
import { asProblem } from '../api/problem.ts'
import { useRealmHeader } from '../app/realm.tsx'
import { t } from '../language/t.ts'
import { Icon } from './icon.tsx'
import { saveFile } from './save-file.ts'

/** Downloads a list as a file; shows why where it cannot. */
export function useCsv(path: string, format: 'csv' | 'xlsx' = 'csv') {
  const realm = useRealmHeader()
  const [isBusy, setBusy] = useState(false)
  const Accept = format === 'csv' ? 'text/csv' : XLSX
  const save = async (filters: Record<string, string>) => {
    setBusy(true)
    try {
      const query = new URLSearchParams(filters).toString()
      const response = await fetchRaw(realm, query ? `${path}?${query}` : path, { headers: { Accept } })
      saveFile(await response.blob(), `${path.split('/').at(-1)}.${format}`)
    } catch (error) {
      notifications.show({
        color: 'red',
        title: t('The file could not be downloaded'),
        message: asProblem(error).message,
      })
    }
    setBusy(false)
  }
  return { isBusy, save }
}

interface CsvButtonProps {
  path: string
  filters: Record<string, string>
  /** CSV unless it says otherwise. */
  format?: 'csv' | 'xlsx'
  /** Where a page has several: what this one downloads, for screen readers. */
  label?: string
  /** The columns that the list shows, as the file calls them: a second choice beside all of them. */
  shown?: readonly string[] | undefined
}

/** Downloads the filtered list. */
export function CsvButton({ path, filters, format = 'csv', label, shown }: CsvButtonProps) {
  const { isBusy, save } = useCsv(path, format)
  return (
    <Group gap={1} ml="auto" wrap="nowrap">
      <Button
        variant="default"
        size="xs"
        loading={isBusy}
        aria-label={label}
        onClick={() => void save(filters)}
        leftSection={<Icon name="download" size={14} />}
      >
        {format.toUpperCase()}
      </Button>
      {shown && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label={t('Which columns the CSV has')}>
              <Icon name="down" size={12} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void save(filters)}>{t('All columns')}</Menu.Item>
            <Menu.Item onClick={() => void save({ ...filters, columns: shown.join() })}>
              {t('Only the columns that are shown')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  )
}
