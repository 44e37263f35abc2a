import { workbookOf } from '@kitlane/display/workbook-kind'
import { Alert, Button, FileButton, Group, Paper, Stack, Text, Textarea } from '@mantine/core'
import { type DragEvent, type ReactNode, useState } from 'react'
import { t } from '../language/t.ts'
import css from './csv-source.module.css'
import { decodeText } from './decode-text.ts'
import { Icon } from './icon.tsx'
import { saveFile } from './save-file.ts'

interface CsvSourceProps {
  /** `bytes` are those of a file, so that it can be read again in another encoding. */
  onText: (text: string, bytes?: Uint8Array) => void
  template: { name: string; columns: readonly string[] }
  /** Why the last file was not accepted. */
  failure?: ReactNode
  isBusy?: boolean
}

// 10,000 orders take 8 MB.
const MOST_UNPACKED_BYTES = 32 * 1024 * 1024

/** Takes a CSV or a workbook that is dropped, chosen or pasted, and offers an empty one with the right columns. */
export function CsvSource({ onText, template, failure, isBusy = false }: CsvSourceProps) {
  const [problem, setProblem] = useState<string>()
  const [pasted, setPasted] = useState('')
  const [isOver, setOver] = useState(false)
  const take = (text: string, bytes?: Uint8Array) => {
    setProblem(undefined)
    onText(text, bytes)
  }
  const takeFile = async (file: File | null | undefined) => {
    if (!file || isBusy) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (!workbookOf(bytes)) return take(decodeText(bytes).text, bytes)
    try {
      const { csvOfWorkbook } = await import('@kitlane/display/workbook')
      take(await csvOfWorkbook(bytes, { mostBytes: MOST_UNPACKED_BYTES }))
    } catch {
      setProblem(t('This workbook cannot be read. Save it as .xlsx without a password, or as CSV, then drop it here.'))
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void takeFile(event.dataTransfer.files[0])
  }
  return (
    <Stack gap="md" maw={720}>
      <Paper
        withBorder
        p="xl"
        className={css.drop}
        data-over={isOver || undefined}
        onDragOver={(event: DragEvent) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Stack align="center" gap="sm">
          <Icon name="upload" size={28} />
          <Text>{t('Drop a spreadsheet here: .xlsx or CSV')}</Text>
          <Group>
            <FileButton accept=".csv,.tsv,.txt,.xlsx,text/csv" onChange={(file) => void takeFile(file)}>
              {(props) => (
                <Button {...props} loading={isBusy}>
                  {t('Choose a file')}
                </Button>
              )}
            </FileButton>
            <Button variant="default" onClick={() => saveTemplate(template)}>
              {t('Download a template')}
            </Button>
          </Group>
        </Stack>
      </Paper>
      <Textarea
        label={t('Or paste rows from a spreadsheet')}
        description={t('Include the row of column names')}
        value={pasted}
        onChange={(event) => setPasted(event.currentTarget.value)}
        autosize
        minRows={4}
        maxRows={12}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      {problem ? (
        <Alert color="red" variant="light" role="alert">
          {problem}
        </Alert>
      ) : (
        failure
      )}
      <Group>
        <Button variant="default" disabled={pasted.trim() === ''} loading={isBusy} onClick={() => take(pasted)}>
          {t('Continue with the pasted rows')}
        </Button>
      </Group>
    </Stack>
  )
}

function saveTemplate({ name, columns }: CsvSourceProps['template']) {
  saveFile(new Blob([`${columns.join(',')}\r\n`], { type: 'text/csv' }), name)
}
