import { Autocomplete, Button, Group, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, useRef } from 'react'
import type { Candidate } from '../../../api/operator-shapes.ts'
import { StatusDot } from '../../../components/status-dot.tsx'
import type { Tone } from '../../../components/status-label.ts'
import { t } from '../../../language/t.ts'
import { boundsText } from '../../reports/bounds-text.ts'
import type { Decision } from './decisions.ts'
import css from './uploads.module.css'

interface CandidateRowProps {
  candidate: Candidate
  decision: Decision
  isCurrent: boolean
  onFocus: () => void
  onChange: (part: Partial<Decision>) => void
}

const states: Record<Decision['state'], [Tone, string]> = {
  open: ['idle', t('To confirm')],
  confirmed: ['good', t('Confirmed')],
  out: ['idle', t('Left out')],
}

/** One value: Enter confirms it, X leaves it out, and the focus moves to the next. */
export function CandidateRow({ candidate, decision, isCurrent, onFocus, onChange }: CandidateRowProps) {
  const element = useRef<HTMLFieldSetElement>(null)
  const decide = (state: Decision['state']) => {
    onChange({ state })
    focusNext(element.current)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isRow = event.target === element.current
    if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) decide('confirmed')
    else if (isRow && event.key.toLowerCase() === 'x') decide('out')
    else if (isRow && event.key === 'ArrowDown') focusNext(element.current)
    else if (isRow && event.key === 'ArrowUp') focusBefore(element.current)
    else return
    event.preventDefault()
  }
  const [tone, word] = states[decision.state]
  return (
    <fieldset
      ref={element}
      className={css.row}
      data-current={isCurrent}
      data-problem={candidate.problem !== undefined}
      data-candidate
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the row itself takes the keys that decide about it.
      tabIndex={0}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      <legend className={css.legend}>{candidate.name}</legend>
      <Group align="end" gap="xs">
        <Autocomplete
          label={t('Biomarker')}
          size="xs"
          flex="1 1 140px"
          miw={0}
          data={candidate.suggestions}
          value={decision.biomarker}
          onChange={(biomarker) => onChange({ biomarker })}
        />
        <Field label={t('Value')} value={decision.value} onChange={(value) => onChange({ value })} />
        <Field label={t('Unit')} value={decision.unit} onChange={(unit) => onChange({ unit })} />
        <Field label={t('Flag')} value={decision.flag} onChange={(flag) => onChange({ flag })} />
      </Group>
      <Group justify="space-between" mt={6}>
        <Group gap="md">
          <StatusDot tone={tone}>{word}</StatusDot>
          {candidate.range && (
            <Text size="xs" c="dimmed">
              {t('Printed range: {range}', { range: candidate.rangeText ?? boundsText(candidate.range) })}
            </Text>
          )}
        </Group>
        <Group gap={6}>
          <Button size="compact-xs" variant="default" tabIndex={-1} onClick={() => decide('out')}>
            {t('Leave out')}
          </Button>
          <Button size="compact-xs" variant="default" tabIndex={-1} onClick={() => decide('confirmed')}>
            {t('Confirm')}
          </Button>
        </Group>
      </Group>
      {candidate.problem && (
        <Text size="sm" c="var(--k-fair)" mt={4}>
          {candidate.problem}
        </Text>
      )}
    </fieldset>
  )
}

interface FieldProps {
  label: string
  value: string
  onChange: (value: string) => void
}

function Field({ label, value, onChange }: FieldProps) {
  return (
    <TextInput
      label={label}
      size="xs"
      w={96}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
    />
  )
}

function focusNext(from: HTMLElement | null): void {
  const next = beside(from, 1) ?? document.getElementById('collected')
  next?.focus()
}

const focusBefore = (from: HTMLElement | null) => beside(from, -1)?.focus()

function beside(from: HTMLElement | null, step: 1 | -1): HTMLElement | undefined {
  if (!from) return undefined
  const rows = [...(from.parentElement?.querySelectorAll<HTMLElement>('[data-candidate]') ?? [])]
  return rows[rows.indexOf(from) + step]
}
