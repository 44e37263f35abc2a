import type { components } from '@kitlane/client'
import { Autocomplete, Checkbox, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'

type Result = components['schemas']['WaitingResult']
export interface Assignment {
  biomarker: string
  value?: string
  unit?: string
  reason: string
  /** Whether its remark passes next time. */
  remember?: boolean
}

interface NamedProps {
  result: Result
  title: string
  /** Catalogue IDs, the likeliest first. */
  choices: readonly string[]
}

/** Makes the result one of a biomarker. */
export function AssignButton({
  result,
  title,
  choices,
  action,
}: NamedProps & { action: (body: Assignment) => Promise<unknown> }) {
  const [biomarker, setBiomarker] = useState('')
  const [value, setValue] = useState('')
  const [unit, setUnit] = useState('')
  const [reason, setReason] = useState('')
  const [remembers, setRemembers] = useState(true)
  const { remarks = [], laboratory = '' } = result
  const sent = [result.value || t('no value'), result.unit].filter(Boolean).join(' ')
  const assign = () =>
    action({
      biomarker: biomarker.trim(),
      ...(value.trim() && { value: value.trim() }),
      ...(unit.trim() && { unit: unit.trim() }),
      reason: reason.trim(),
      ...(remarks.length > 0 && { remember: remembers }),
    })
  return (
    <ConfirmButton
      label={t('Assign')}
      variant="filled"
      sentence={t(
        '{title} was sent as "{sent}". It is judged and shown in a new version of its report. A published report stays published.',
        { title, sent },
      )}
      action={assign}
      done={t('{title} is assigned', { title })}
    >
      <BiomarkerField choices={choices} value={biomarker} onChange={setBiomarker} />
      <TextInput
        label={t('The number, if it is not plain')}
        description={t('The same digits as were sent: 6.2 for 6,2')}
        maxLength={100}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        autoComplete="off"
      />
      {result.unit === '' && (
        <TextInput
          label={t('Its unit: none was sent')}
          maxLength={60}
          value={unit}
          onChange={(event) => setUnit(event.currentTarget.value)}
          autoComplete="off"
        />
      )}
      <ReasonField label={t('How do you know?')} value={reason} onChange={setReason} />
      {remarks.length > 0 && (
        <Checkbox
          label={t('Let this remark of {laboratory} pass from now on', { laboratory })}
          description={remarks.join('. ')}
          checked={remembers}
          onChange={(event) => setRemembers(event.currentTarget.checked)}
        />
      )}
    </ConfirmButton>
  )
}

type Decision = 'toldByHand' | 'notToTell'
export interface Dismissal {
  reason: string
  authority?: { decision: Decision; reason: string }
}

/** Closes the result with a reason, and with what became of the health authority where the service asks for that. */
export function DismissButton({ title, action }: { title: string; action: (body: Dismissal) => Promise<unknown> }) {
  const [typed, setReason] = useState('')
  const [isAsked, setAsked] = useState(false)
  const [decision, setDecision] = useState<Decision | null>(null)
  const reason = typed.trim()
  const dismiss = async () => {
    try {
      await action({ reason, ...(decision && { authority: { decision, reason } }) })
    } catch (failure) {
      setAsked(asProblem(failure).details.some(({ path }) => path === 'authority'))
      throw failure
    }
  }
  return (
    <ConfirmButton
      label={t('Dismiss')}
      sentence={t('The result leaves this list. It stays in its report as not assessed.')}
      action={dismiss}
      done={t('{title} is dismissed', { title })}
    >
      {(isAsked || decision) && (
        <Select
          label={t('The health authority')}
          data={[
            { value: 'toldByHand', label: t('A person told it by hand') },
            { value: 'notToTell', label: t('It is not told') },
          ]}
          value={decision}
          onChange={(to) => setDecision(to === 'toldByHand' || to === 'notToTell' ? to : null)}
        />
      )}
      <ReasonField label={t('Why, or what was done about it?')} value={typed} onChange={setReason} />
    </ConfirmButton>
  )
}

/** Adds the name to the catalogue, for results that come from now on. */
export function AddNameButton({
  title,
  choices,
  action,
}: NamedProps & { action: (body: { biomarker: string; reason: string }) => Promise<unknown> }) {
  const [biomarker, setBiomarker] = useState('')
  const [reason, setReason] = useState('')
  return (
    <ConfirmButton
      label={t('Add name to catalogue')}
      sentence={t(
        '"{title}" means this biomarker from now on, regardless of who sends it. The result itself waits until you assign it.',
        { title },
      )}
      action={() => action({ biomarker: biomarker.trim(), reason: reason.trim() })}
      done={t('{title} is in the catalogue', { title })}
    >
      <BiomarkerField choices={choices} value={biomarker} onChange={setBiomarker} />
      <ReasonField label={t('How do you know?')} value={reason} onChange={setReason} />
    </ConfirmButton>
  )
}

interface FieldProps {
  value: string
  onChange: (value: string) => void
}

function BiomarkerField({ choices, value, onChange }: FieldProps & { choices: readonly string[] }) {
  return (
    <Autocomplete
      label={t('Biomarker')}
      required
      data={[...choices]}
      limit={20}
      maxLength={100}
      value={value}
      onChange={onChange}
      data-autofocus
    />
  )
}

function ReasonField({ label, value, onChange }: FieldProps & { label: string }) {
  return (
    <TextInput
      label={label}
      required
      maxLength={300}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
    />
  )
}
