import { Alert, Button, FileButton, Group, Paper, Stack, Text, Textarea } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { Icon } from '../../components/icon.tsx'
import { saveFile } from '../../components/save-file.ts'
import css from './bulk.module.css'
import { readCsv, type Sheet } from './csv.ts'
import { fields } from './fields.ts'

const MOST_ROWS = 10_000

export function FileStep({ onSheet }: { onSheet: (sheet: Sheet) => void }) {
  const [problem, setProblem] = useState<string>()
  const [pasted, setPasted] = useState('')
  const [isOver, setOver] = useState(false)
  const take = (text: string) => {
    const sheet = readCsv(text)
    if (sheet.rows.length === 0)
      return setProblem('There is no row below the header. The first line names the columns.')
    if (sheet.rows.length > MOST_ROWS) {
      return setProblem(
        `${sheet.rows.length} rows are too many for one order. Split the file: up to ${MOST_ROWS} rows each.`,
      )
    }
    onSheet(sheet)
  }
  const takeFile = async (file: File | null | undefined) => {
    if (!file) return
    if (/\.xlsx?$/i.test(file.name)) return setProblem('This is an Excel file. Save it as CSV, then drop it here.')
    take(await file.text())
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
          <Text>Drop a CSV file here</Text>
          <Group>
            <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={(file) => void takeFile(file)}>
              {(props) => <Button {...props}>Choose a file</Button>}
            </FileButton>
            <Button variant="default" onClick={saveTemplate}>
              Get a template
            </Button>
          </Group>
        </Stack>
      </Paper>
      <Textarea
        label="Or paste rows from a spreadsheet"
        description="With the line that names the columns"
        value={pasted}
        onChange={(event) => setPasted(event.currentTarget.value)}
        autosize
        minRows={4}
        maxRows={12}
        ff="monospace"
      />
      {problem && (
        <Alert color="red" variant="light" role="alert">
          {problem}
        </Alert>
      )}
      <Group>
        <Button variant="default" disabled={pasted.trim() === ''} onClick={() => take(pasted)}>
          Go on with the pasted rows
        </Button>
      </Group>
    </Stack>
  )
}

function saveTemplate() {
  saveFile(new Blob([`${fields.map(({ name }) => name).join(',')}\r\n`], { type: 'text/csv' }), 'orders.csv')
}
