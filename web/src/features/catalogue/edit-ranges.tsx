import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'
import { type Definition, type Sex, sexNames } from './definition.ts'

const sexes: readonly Sex[] = ['F', 'M']
type Bound = 'low' | 'high'
type Draft = Record<`${Sex}.${Bound}`, string>

/** Creates a new version of the reference interval, with a reason. Existing reports keep the version they were assessed by. */
export function EditRanges({ definition }: { definition: Definition }) {
  const edit = useWrite('patch', '/operator/v1/biomarkers/{biomarkerID}')
  const [draft, setDraft] = useState(() => draftOf(definition))
  const [source, setSource] = useState(definition.reference?.source ?? '')
  const [reason, setReason] = useState('')

  const change = { reference: { source: source.trim(), F: boundsOf(draft, 'F'), M: boundsOf(draft, 'M') } }
  return (
    <ConfirmButton
      label={t('Change the ranges')}
      variant="filled"
      sentence={t('Creates a new version. Existing reports keep the ranges that they were assessed by.')}
      action={() =>
        edit.mutateAsync({ params: { path: { biomarkerID: definition.id } }, body: { reason: reason.trim(), change } })
      }
      done={t('A new version was created')}
    >
      <Stack gap="sm">
        {sexes.map((sex) => (
          <Group key={sex} grow align="end">
            <Text>
              {sexNames[sex]}, {definition.displayUnit}
            </Text>
            {(['low', 'high'] as const).map((bound) => (
              <TextInput
                key={bound}
                label={bound === 'low' ? t('From') : t('Up to')}
                aria-label={
                  bound === 'low' ? t('{sex} from', { sex: sexNames[sex] }) : t('{sex} to', { sex: sexNames[sex] })
                }
                inputMode="decimal"
                pattern="\s*-?\d*[.,]?\d+\s*"
                title={t('A number, or nothing where there is no limit')}
                placeholder={t('no limit')}
                value={draft[`${sex}.${bound}`]}
                onChange={(event) => setDraft({ ...draft, [`${sex}.${bound}`]: event.currentTarget.value })}
              />
            ))}
          </Group>
        ))}
        <TextInput
          label={t('Source')}
          value={source}
          onChange={(event) => setSource(event.currentTarget.value)}
          required
        />
        <TextInput
          label={t('Reason')}
          placeholder={t('Approved by Dr …')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          required
        />
      </Stack>
    </ConfirmButton>
  )
}

function draftOf({ reference }: Definition): Draft {
  const text = (value: number | null | undefined) => (value === null || value === undefined ? '' : String(value))
  return {
    'F.low': text(reference?.F?.low),
    'F.high': text(reference?.F?.high),
    'M.low': text(reference?.M?.low),
    'M.high': text(reference?.M?.high),
  }
}

function boundsOf(draft: Draft, sex: Sex): { low: number | null; high: number | null } | undefined {
  const low = numberOf(draft[`${sex}.low`])
  const high = numberOf(draft[`${sex}.high`])
  return low === null && high === null ? undefined : { low, high }
}

// The field's pattern accepts numbers only, so a typing error never means "no limit".
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text.replace(',', '.')))
