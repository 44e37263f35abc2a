import type { components } from '@kitlane/client'
import { Checkbox, MultiSelect, NumberInput, Select, SimpleGrid } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'
import { Field, Place } from './fields.tsx'

export type Rule = components['schemas']['NotifiableRule']
type RuleDraft = Omit<Rule, 'id' | 'changedDate' | 'activeSince'> & { id?: string }

const newRule: RuleDraft = {
  condition: '',
  biomarkers: [],
  answer: { kind: 'positive' },
  country: 'US',
  states: [],
  withinHours: null,
  source: '',
  isActive: false,
}

/** A rule, all of it. Whoever saves it as one that is on signs what it says now, so that no earlier signature is kept. */
export function RuleButton({ rule }: { rule?: Rule }) {
  const before = (): RuleDraft => {
    if (!rule) return newRule
    const { changedDate: _, activeSince: __, signedBy, ...said } = rule
    return said
  }
  const [draft, setDraft] = useState(before)
  const save = useWrite('post', '/operator/v1/notifiable-settings/rules')
  const change = (part: Partial<RuleDraft>) => setDraft((former) => ({ ...former, ...part }))
  const { answer, isActive } = draft
  const action = async () => {
    const { endedNotices } = await save.mutateAsync({ body: draft })
    const ended = t(
      '{count, plural, =0 {The rule is saved.} one {The rule is saved. # result that waited is not told any more.} other {The rule is saved. # results that waited are not told any more.}}',
      { count: endedNotices },
    )
    notifications.show({ message: ended })
    if (!rule) setDraft(newRule)
  }
  return (
    <ConfirmButton
      label={rule ? t('Change the rule') : t('Add a rule')}
      size="xs"
      sentence={t('Results that stand already are told with the next version of their report.')}
      action={action}
      isIncomplete={draft.biomarkers.length === 0}
    >
      <Field label={t('Condition')} value={draft.condition} onChange={(condition) => change({ condition })} required />
      <Biomarkers value={draft.biomarkers} onChange={(biomarkers) => change({ biomarkers })} />
      <Select
        label={t('Which answer is told')}
        allowDeselect={false}
        data={[
          { value: 'positive', label: t('Positive') },
          { value: 'above', label: t('A number above a limit') },
        ]}
        value={answer.kind}
        onChange={(kind) => change({ answer: kind === 'above' ? { kind, above: 0, unit: '' } : { kind: 'positive' } })}
      />
      {answer.kind === 'above' && (
        <SimpleGrid cols={2}>
          <NumberInput
            label={t('Limit')}
            required
            value={answer.above}
            onChange={(above) => change({ answer: { ...answer, above: Number(above) } })}
          />
          <Field
            label={t('Unit')}
            value={answer.unit}
            onChange={(unit) => change({ answer: { ...answer, unit } })}
            required
          />
        </SimpleGrid>
      )}
      <Place value={draft} change={change} />
      <NumberInput
        label={t('Within how many hours')}
        description={t('0: at once. Empty: not known yet, so that the rule stays off')}
        min={0}
        max={8760}
        allowDecimal={false}
        value={draft.withinHours ?? ''}
        onChange={(hours) => change({ withinHours: hours === '' ? null : Number(hours) })}
      />
      <Field
        label={t('Where it is published')}
        value={draft.source}
        onChange={(source) => change({ source })}
        required
        maxLength={500}
      />
      <Checkbox
        label={t('It is on')}
        checked={isActive}
        onChange={({ currentTarget }) => change({ isActive: currentTarget.checked })}
      />
      <Field
        label={t('Who compared it, as it is here, with the law')}
        {...(rule?.signedBy && { description: t('Before: {name}', { name: rule.signedBy }) })}
        value={draft.signedBy ?? ''}
        onChange={(signedBy) => change({ signedBy: signedBy || undefined })}
        required={isActive}
      />
    </ConfirmButton>
  )
}

/** The catalogue, of some 700, is read once a form is open. */
function Biomarkers({ value, onChange }: { value: string[]; onChange: (ids: string[]) => void }) {
  const biomarkers = useRead('/operator/v1/biomarkers', {}, { fresh: 60_000 }).data ?? []
  return (
    <MultiSelect
      label={t('Biomarkers')}
      searchable
      limit={50}
      data={biomarkers.map(({ id, label }) => ({ value: id, label }))}
      value={value}
      onChange={onChange}
    />
  )
}
