import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { fetchRaw } from '../api/client.ts'
import { asProblem } from '../api/problem.ts'
import { useRealmHeader } from '../app/realm.tsx'
import { t } from '../language/t.ts'
import { Icon } from './icon.tsx'
import { saveFile } from './save-file.ts'

interface CsvButtonProps {
  path: string
  filters: Record<string, string>
  /** Where a page has several: what this one downloads, for screen readers. */
  label?: string
}

/** Downloads the filtered list. */
export function CsvButton({ path, filters, label }: CsvButtonProps) {
  const realm = useRealmHeader()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const query = new URLSearchParams(filters).toString()
      const response = await fetchRaw(realm, query ? `${path}?${query}` : path, { headers: { Accept: 'text/csv' } })
      saveFile(await response.blob(), `${path.split('/').at(-1)}.csv`)
    } catch (error) {
      notifications.show({
        color: 'red',
        title: t('The file could not be downloaded'),
        message: asProblem(error).message,
      })
    }
    setBusy(false)
  }
  return (
    <Button
      variant="default"
      size="xs"
      ml="auto"
      loading={isBusy}
      aria-label={label}
      onClick={() => void save()}
      leftSection={<Icon name="download" size={14} />}
    >
      CSV
    </Button>
  )
}
