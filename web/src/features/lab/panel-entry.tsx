import type { components } from '@kitlane/client'
import { Button, Group, Select, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { clientOf } from '../../api/client.ts'
import { useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { IdText } from '../../components/id-text.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { sampleLabel } from '../kits/labels.ts'
import type { LabAnswer } from './accepted-results.tsx'

type Form = components['schemas']['ResultEntryForm']

interface PanelEntryProps {
  /** What became of the results that were sent. */
  onSent: (answer: LabAnswer) => void
}

/** The results of a kit, biomarker by biomarker, as the panel has them. */
export function PanelEntry({ onSent }: PanelEntryProps) {
  const [form, setForm] = useState<Form>()
  return form ? (
    <Values
      key={form.kitID}
      form={form}
      onSent={(answer) => {
        onSent(answer)
        setForm(undefined)
      }}
      onLeave={() => setForm(undefined)}
    />
  ) : (
    <FindKit onFound={setForm} />
  )
}

function FindKit({ onFound }: { onFound: (form: Form) => void }) {
  const [kitID, setKitID] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const find = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      const params = { path: { kitID: kitID.trim() } }
      const { data } = await clientOf().GET('/operator/v1/lab/kits/{kitID}/form', { params })
      if (data) onFound(data)
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return (
    <form onSubmit={(event) => void find(event)}>
      <Stack gap="sm">
        <Group align="flex-end">
          <TextInput
            label={t('Kit')}
            description={t('Type or scan the ID on the tube or the box.')}
            value={kitID}
            onChange={(event) => setKitID(event.currentTarget.value)}
            autoComplete="off"
            autoFocus
          />
          <Button type="submit" loading={isBusy} disabled={kitID.trim() === ''}>
            {t('Show its panel')}
          </Button>
        </Group>
        {error !== undefined && <ErrorAlert error={error} />}
      </Stack>
    </form>
  )
}

interface Typed {
  value: string
  unit: string
  flag: string
}

// HL7 table 0078, the part that numbers have.
const FLAGS = ['L', 'H', 'LL', 'HH', 'A', 'AA', 'N']

interface ValuesProps extends PanelEntryProps {
  form: Form
  onLeave: () => void
}

function Values({ form, onSent, onLeave }: ValuesProps) {
  const { kitID, panelName, sampleStatus, biomarkers } = form
  const [typed, setTyped] = useState<Typed[]>(() => biomarkers.map(({ unit }) => ({ value: '', unit, flag: '' })))
  const [collectedDate, setCollectedDate] = useState('')
  const send = useWrite('post', '/operator/v1/lab/results')
  const change = (index: number, part: Partial<Typed>) =>
    setTyped((before) => before.map((one, at) => (at === index ? { ...one, ...part } : one)))
  const entered = biomarkers.flatMap(({ name, loinc }, index) => {
    const { value = '', unit = '', flag } = typed[index] ?? {}
    if (value.trim() === '') return []
    return [{ name, ...(loinc && { loinc }), value: value.trim(), unit, ...(flag && { flag }) }]
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { kitID, results: entered, ...(collectedDate && { collectedDate }) }
    send.mutate({ body }, { onSuccess: onSent })
  }
  const word = sampleLabel(sampleStatus)
  return (
    <form onSubmit={submit}>
      <Stack>
        <Group>
          <Title order={2}>{panelName}</Title>
          <IdText value={kitID} />
          <StatusDot tone={word.tone}>{word.label}</StatusDot>
        </Group>
        <TextInput
          type="date"
          label={t('Collected on, if the laboratory says it')}
          value={collectedDate}
          onChange={(event) => setCollectedDate(event.currentTarget.value)}
          maw={240}
        />
        <Table.ScrollContainer minWidth={520} type="native">
          <Table aria-label={t('Results')} verticalSpacing={4} onKeyDown={nextOnEnter}>
            <Table.Thead>
              <Table.Tr>
                {[t('Biomarker'), t('Value'), t('Unit'), t('Flag')].map((header) => (
                  <Table.Th key={header} scope="col">
                    {header}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {biomarkers.map(({ name }, index) => (
                <Table.Tr key={name}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td>
                    <TextInput
                      size="xs"
                      w={120}
                      aria-label={t('Value of {name}', { name })}
                      data-value
                      autoComplete="off"
                      value={typed[index]?.value ?? ''}
                      onChange={(event) => change(index, { value: event.currentTarget.value })}
                    />
                  </Table.Td>
                  <Table.Td>
                    <TextInput
                      size="xs"
                      w={120}
                      aria-label={t('Unit of {name}', { name })}
                      tabIndex={-1}
                      autoComplete="off"
                      value={typed[index]?.unit ?? ''}
                      onChange={(event) => change(index, { unit: event.currentTarget.value })}
                    />
                  </Table.Td>
                  <Table.Td>
                    <Select
                      size="xs"
                      w={80}
                      aria-label={t('Flag of {name}', { name })}
                      placeholder="–"
                      clearable
                      data={FLAGS}
                      value={typed[index]?.flag || null}
                      onChange={(flag) => change(index, { flag: flag ?? '' })}
                    />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        {send.error && <ErrorAlert error={send.error} />}
        <Group>
          <Button type="submit" loading={send.isPending} disabled={entered.length === 0}>
            {t('Send {count, plural, one {# result} other {# results}}', { count: entered.length })}
          </Button>
          <Button variant="subtle" onClick={onLeave}>
            {t('Another kit')}
          </Button>
          <Text c="dimmed" size="sm">
            {entered.length < biomarkers.length && t('What is left empty is not sent, and can follow later.')}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}

/** Enter goes on to the next value, as in a spreadsheet; the button sends. */
function nextOnEnter(event: KeyboardEvent<HTMLTableElement>) {
  if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
  event.preventDefault()
  if (event.target.dataset.value === undefined) return
  const values = [...event.currentTarget.querySelectorAll<HTMLInputElement>('[data-value]')]
  const next = values[values.indexOf(event.target) + 1]
  if (next) next.focus()
  else event.currentTarget.closest('form')?.querySelector<HTMLElement>('button[type=submit]')?.focus()
}
