import { ActionIcon, Autocomplete, Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Icon } from '../../components/icon.tsx'
import { t } from '../../language/t.ts'
import { AddedNotice } from './added-notice.tsx'

interface Value {
  key: number
  name: string
  result: string
  unit: string
}

let lastKey = 0
const nextKey = () => ++lastKey

const empty = (): Value => ({ key: nextKey(), name: '', result: '', unit: '' })

/** Adds results by hand: name, value, unit. */
export function ValuesForm({ customerID }: { customerID: number }) {
  const biomarkers = useRead('/api/v1/biomarkers').data ?? []
  const add = useWrite('post', '/api/v1/customer/add-data')
  const [date, setDate] = useState('')
  const [values, setValues] = useState(() => [empty()])
  const units = new Map(biomarkers.map(({ label, displayUnit }) => [label, displayUnit]))
  const change = (key: number, part: Partial<Value>) =>
    setValues(values.map((value) => (value.key === key ? { ...value, ...part } : value)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const filled = values.filter(({ name, result }) => name.trim() && result.trim())
    add.mutate(
      {
        body: {
          type: 'test',
          userId: customerID,
          date,
          biomarkerData: filled.map(({ name, result, unit }) => ({ name, result, unit_of_measure: unit })),
        },
      },
      { onSuccess: () => setValues([empty()]) },
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t('Collected on')}
          type="date"
          required
          w={200}
          value={date}
          onChange={(event) => setDate(event.currentTarget.value)}
        />
        {values.map(({ key, name, result, unit }) => (
          <Group key={key} gap="xs" align="flex-end">
            <Autocomplete
              label={t('Biomarker')}
              style={{ flex: '2 1 160px', minWidth: 0 }}
              data={[...units.keys()]}
              limit={20}
              value={name}
              onChange={(text) => change(key, { name: text, ...(units.has(text) && { unit: units.get(text) }) })}
            />
            <TextInput
              label={t('Value')}
              style={{ flex: '1 1 72px', minWidth: 0 }}
              value={result}
              onChange={(event) => change(key, { result: event.currentTarget.value })}
            />
            <TextInput
              label={t('Unit')}
              style={{ flex: '1 1 72px', minWidth: 0 }}
              value={unit}
              onChange={(event) => change(key, { unit: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              mb={4}
              aria-label={t('Remove this value')}
              disabled={values.length === 1}
              onClick={() => setValues(values.filter((value) => value.key !== key))}
            >
              <Icon name="cross" />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button variant="default" onClick={() => setValues([...values, empty()])}>
            {t('Another value')}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {t('Add the results')}
          </Button>
        </Group>
        {add.error && <ErrorAlert error={add.error} />}
        {add.data && 'matched' in add.data && (
          <AddedNotice
            title={t('{count, plural, one {# value was} other {# values were}} added', { count: add.data.matched })}
            reports={add.data.reportId === undefined ? [] : [add.data.reportId]}
            unused={[
              ...add.data.unmatched.map((name) => t('{name}: not a biomarker that we know', { name })),
              ...add.data.notes.map(({ name, reason }) => `${name}: ${reason}`),
            ]}
            converted={add.data.converted}
          />
        )}
      </Stack>
    </form>
  )
}
