import type { components } from '@kitlane/client'
import { Autocomplete, Select, Stack, TextInput } from '@mantine/core'
import { type ChangeEvent, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'
import { answerWords, questionName } from './sample-words.ts'

type Said = components['schemas']['KitCollection']
type Question = Said['questions'][number]

const choicesOf: Readonly<Record<string, readonly string[]>> = {
  pregnant: ['yes', 'no'],
  cyclePhase: ['follicular', 'ovulation', 'luteal', 'postmenopausal'],
}

const hints: Readonly<Record<string, string>> = {
  fasting: t('yes, no, or hours without food'),
  medication: t('Several by comma'),
  timeOfLastDose: t('As 2026-11-27, or 2026-11-27T07:40'),
}

const listOf = (text: string) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/** Corrects what was said of a sample: the answers are sent as they were kept, but for those that are changed. */
export function CorrectSample({ said }: { said: Said }) {
  const { kitID, questions, answers = {} } = said
  const [day, setDay] = useState(said.collectedDate?.slice(0, 10) ?? '')
  const [time, setTime] = useState(said.collectedDate?.slice(11) ?? '')
  const [zone, setZone] = useState(said.zone ?? '')
  const [typed, setTyped] = useState(
    Object.fromEntries(questions.map(({ id }) => [id, [answers[id] ?? ''].flat().join(', ')])),
  )
  const correct = useWrite('post', '/operator/v1/kits/{kitID}/collection')
  const save = () => {
    const given = Object.entries(typed).flatMap(([id, text]) =>
      text.trim() === '' ? [] : [[id, id === 'medication' ? listOf(text) : text.trim()]],
    )
    const body = { collectedDate: time ? `${day}T${time}` : day, zone: zone.trim(), answers: Object.fromEntries(given) }
    return correct.mutateAsync({ params: { path: { kitID } }, body })
  }
  return (
    <ConfirmButton
      label={t('Correct what was said of the sample')}
      sentence={t('It takes the place of what was said before. A report of this sample is judged again.')}
      isIncomplete={day === '' || zone.trim() === ''}
      action={save}
      done={t('What was said of the sample was corrected')}
    >
      <Stack gap="sm">
        <TextInput type="date" required label={t('Day of collection')} value={day} onChange={valueTo(setDay)} />
        <TextInput type="time" label={t('Time, if it is known')} value={time} onChange={valueTo(setTime)} />
        <Autocomplete
          required
          label={t('Time zone')}
          data={Intl.supportedValuesOf('timeZone')}
          limit={20}
          value={zone}
          onChange={setZone}
        />
        {questions.map((one) => (
          <Answer
            key={one.id}
            question={one}
            value={typed[one.id] ?? ''}
            onChange={(value) => setTyped({ ...typed, [one.id]: value })}
          />
        ))}
      </Stack>
    </ConfirmButton>
  )
}

const valueTo = (set: (value: string) => void) => (event: ChangeEvent<HTMLInputElement>) =>
  set(event.currentTarget.value)

interface AnswerProps {
  question: Question
  value: string
  onChange: (value: string) => void
}

function Answer({ question, value, onChange }: AnswerProps) {
  const { id, isRequired, choices = [] } = question
  const own = choices.map((one) => ({ value: one.id, label: one.text.en ?? one.id }))
  const known = choicesOf[id]?.map((one) => ({ value: one, label: answerWords[one] ?? one }))
  const label = questionName(question)
  if (known || own.length > 0)
    return (
      <Select
        label={label}
        required={isRequired}
        clearable={!isRequired}
        data={known ?? own}
        value={value || null}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    )
  return (
    <TextInput label={label} description={hints[id]} required={isRequired} value={value} onChange={valueTo(onChange)} />
  )
}
