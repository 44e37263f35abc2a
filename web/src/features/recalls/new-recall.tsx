import { Checkbox, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { t } from '../../language/t.ts'
import { actionWords, kindWords, type RecallAction, type RecallKind, stageWords, Unnamed } from './labels.tsx'

const ofKits: readonly RecallAction[] = ['stopUse', 'rejectSamples', 'holdReports', 'markResults', 'replace', 'tell']
const ofResults: readonly RecallAction[] = ['holdReports', 'markResults', 'tell']
const usual: Record<RecallKind, readonly RecallAction[]> = {
  componentLot: ofKits,
  kitLot: ofKits,
  run: ofResults,
  reagentLot: ofResults,
}

const subjectLabels: Record<RecallKind, string> = {
  componentLot: t('Component'),
  kitLot: t('GTIN or kit type'),
  run: t('Laboratory'),
  reagentLot: t('Reagent (empty: any)'),
}

// Long enough to type a number in one go.
const TYPING_MS = 400

/** Begins a recall: shows how many kits it would find before it is confirmed. */
export function NewRecall() {
  const navigate = useNavigate()
  const begin = useWrite('post', '/operator/v1/recalls')
  const [kind, setKind] = useState<RecallKind>('componentLot')
  const [subject, setSubject] = useState('')
  const [lot, setLot] = useState('')
  const [reason, setReason] = useState('')
  const [grade, setGrade] = useState<'I' | 'II' | 'III' | null>(null)
  const [actions, setActions] = useState<readonly RecallAction[]>(usual.componentLot)
  const selector = { kind, lot: lot.trim(), ...(subject.trim() && { subject: subject.trim() }) }
  const isSaid = selector.lot !== '' && (subject.trim() !== '' || kind === 'reagentLot')
  const start = async () => {
    const body = {
      ...selector,
      reason: reason.trim(),
      actions: [...actions],
      ...(grade && { grade }),
    }
    const { id } = await begin.mutateAsync({ body })
    void navigate({ to: `/operator/recalls/${id}` })
  }
  return (
    <ConfirmButton
      label={t('Recall a lot')}
      isDangerous
      sentence={t('It cannot be undone: people and businesses are told. Single kits can be released later.')}
      action={start}
      isIncomplete={!isSaid || reason.trim() === '' || actions.length === 0}
    >
      <Stack gap="sm">
        <Select
          label={t('What is recalled')}
          allowDeselect={false}
          data={Object.entries(kindWords).map(([value, label]) => ({ value, label }))}
          value={kind}
          onChange={(value) => {
            const chosen = (value ?? 'componentLot') as RecallKind
            setKind(chosen)
            setActions(usual[chosen])
          }}
        />
        <TextInput
          label={subjectLabels[kind]}
          maxLength={100}
          value={subject}
          onChange={(event) => setSubject(event.currentTarget.value)}
        />
        <TextInput
          label={kind === 'run' ? t('Number of the run') : t('Number of the lot')}
          maxLength={60}
          value={lot}
          onChange={(event) => setLot(event.currentTarget.value)}
        />
        {isSaid && <Found selector={selector} />}
        <TextInput
          label={t('Reason')}
          description={t('Businesses read it: write nothing about a person.')}
          maxLength={300}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Select
          label={t('Grade')}
          description={t('As the authority grades it; I is the worst.')}
          clearable
          data={['I', 'II', 'III']}
          value={grade}
          onChange={(value) => setGrade(value as 'I' | 'II' | 'III' | null)}
        />
        <Checkbox.Group
          label={t('What is done')}
          value={[...actions]}
          onChange={(values) => setActions(values as RecallAction[])}
        >
          <Stack gap={6} mt={4}>
            {Object.entries(actionWords).map(([value, label]) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Stack>
    </ConfirmButton>
  )
}

interface Selector {
  kind: RecallKind
  subject?: string
  lot: string
}

/** How many kits the recall would find, by where they are. */
function Found({ selector }: { selector: Selector }) {
  const [query] = useDebouncedValue(selector, TYPING_MS)
  const preview = useRead('/operator/v1/recalls/preview', { params: { query } })
  const found = preview.data
  if (preview.error) return <ErrorAlert error={preview.error} />
  if (!found) return null
  return (
    <div role="status">
      <Text fw={600}>
        {t(
          '{kits, plural, =0 {No kit} one {# kit} other {# kits}} of {businesses, plural, one {# business} other {# businesses}}',
          {
            kits: found.kits,
            businesses: found.businesses,
          },
        )}
      </Text>
      {found.isUnnamed && <Unnamed />}
      {found.stages.map(({ stage, kits }) => (
        <Text key={stage} size="sm">
          {`${stageWords[stage]}: ${kits}`}
        </Text>
      ))}
      {found.boxesInStock > 0 && (
        <Text size="sm">
          {t('{count, plural, one {# box} other {# boxes}} in stock, which nobody can pack any more', {
            count: found.boxesInStock,
          })}
        </Text>
      )}
      {found.recallID && (
        <Text size="sm">
          {t(
            'It is recalled already: your reason and grade replace those of that recall. If the grade is worse, everybody is told again.',
          )}
        </Text>
      )}
    </div>
  )
}
