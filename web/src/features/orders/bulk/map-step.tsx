import { Alert, Button, Group, Paper, Select, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { type Encoding, encodings } from '../../../components/decode-text.ts'
import { WideTable } from '../../../components/wide-table.tsx'
import { t } from '../../../language/t.ts'
import { usePanels } from '../../catalogue/use-panels.ts'
import { type FieldName, fields, type Mapping } from './fields.ts'
import { type Row, rowsOf } from './rows.ts'
import { accentsIn, type Source } from './source.ts'

interface MapStepProps {
  source: Source
  mapping: Mapping
  onEncoding: (encoding: Encoding) => void
  onBack: () => void
  onRows: (rows: Row[], mapping: Mapping) => void
}

/** Maps columns to fields: a guess that the person corrects. A file without a panel column gets one panel for all rows. */
export function MapStep({ source, mapping: guessed, onEncoding, onBack, onRows }: MapStepProps) {
  const { sheet } = source
  const [mapping, setMapping] = useState(guessed)
  const [panelForAll, setPanelForAll] = useState<string | null>(null)
  const { panels, options } = usePanels()
  const columns = sheet.header.map((name, index) => ({
    value: String(index),
    label: name || t('Column {number}', { number: index + 1 }),
  }))
  const missing = fields.filter(
    ({ name, isNeeded }) => isNeeded && mapping[name] === undefined && !(name === 'kit_type' && panelForAll),
  )
  const used = new Set(Object.values(mapping))
  const unused = columns.filter((_, index) => !used.has(index)).map(({ label }) => label)
  const example = (name: FieldName) => {
    const column = mapping[name]
    return column === undefined ? '' : (sheet.rows[0]?.cells[column] ?? '')
  }
  return (
    <Stack gap="md" maw={800}>
      <Text>
        {t(
          '{count, plural, one {# row} other {# rows}}. Check the columns that were recognised, and correct those that are wrong.',
          { count: sheet.rows.length },
        )}
      </Text>
      <EncodingChoice source={source} onChange={onEncoding} />
      <Paper withBorder p="xs">
        <WideTable label={t('Columns')} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Field')}</Table.Th>
              <Table.Th>{t('Column in the file')}</Table.Th>
              <Table.Th>{t('First row')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map(({ name, label, isNeeded }) => (
              <Table.Tr key={name}>
                <Table.Td>
                  {label}
                  {isNeeded ? '' : ` (${t('optional')})`}
                </Table.Td>
                <Table.Td>
                  <Select
                    size="xs"
                    aria-label={t('Column for {label}', { label })}
                    data={columns}
                    value={mapping[name] === undefined ? null : String(mapping[name])}
                    onChange={(value) => setMapping({ ...mapping, [name]: value === null ? undefined : Number(value) })}
                    placeholder={name === 'kit_type' ? t('Not in the file') : t('None')}
                    clearable
                    searchable
                  />
                  {name === 'kit_type' && mapping.kit_type === undefined && (
                    <Select
                      size="xs"
                      mt={6}
                      aria-label={t('Panel for all rows')}
                      placeholder={t('Choose one panel for all rows')}
                      data={options}
                      value={panelForAll}
                      onChange={setPanelForAll}
                    />
                  )}
                </Table.Td>
                <Table.Td c="dimmed">{example(name)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </WideTable>
      </Paper>
      {unused.length > 0 && <Text c="dimmed">{t('Not used: {columns}.', { columns: unused.join(', ') })}</Text>}
      {missing.length > 0 && (
        <Alert color="orange" variant="light">
          {t('Choose the column for: {fields}.', { fields: missing.map(({ label }) => label).join(', ') })}
        </Alert>
      )}
      <Group>
        <Button
          disabled={missing.length > 0 || panels === undefined}
          onClick={() => onRows(rowsOf(sheet, mapping, panels ?? [], panelForAll ?? ''), mapping)}
        >
          {t('Check the rows')}
        </Button>
        <Button variant="default" onClick={onBack}>
          {t('Choose another file')}
        </Button>
      </Group>
    </Stack>
  )
}

/** The encoding in which the file was read, if it is in doubt; another choice reads the file again. */
function EncodingChoice({ source, onChange }: { source: Source; onChange: (encoding: Encoding) => void }) {
  const accents = accentsIn(source.sheet)
  if (!source.bytes || (source.isCertain && accents.length === 0)) return null
  const choice = (
    <Select
      size="xs"
      w={280}
      mt={6}
      label={t('Character encoding')}
      data={encodings}
      value={source.encoding ?? null}
      allowDeselect={false}
      onChange={(value) => value && onChange(value)}
    />
  )
  const examples = <Text mt={4}>{accents.join(' · ')}</Text>
  if (source.isCertain) {
    return (
      <div>
        <Text c="dimmed">{t('Names with accents read like this:')}</Text>
        {examples}
        {choice}
      </div>
    )
  }
  return (
    <Alert color="orange" variant="light" title={t('Are these names right?')}>
      {t('The file does not state its character encoding. If the names below look wrong, choose another encoding.')}
      {examples}
      {choice}
    </Alert>
  )
}
