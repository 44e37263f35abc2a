import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'

/** Gives the day on which a sample was taken. */
export function GiveDay({ save }: { save: (collectedDate: string) => Promise<unknown> }) {
  const [day, setDay] = useState('')
  return (
    <ConfirmButton
      label={t('Give the day')}
      size="xs"
      sentence={t('On which day was the sample taken?')}
      action={() => save(day)}
      done={t('The day was saved')}
      isIncomplete={day === ''}
    >
      <TextInput
        type="date"
        label={t('Day of collection')}
        value={day}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
    </ConfirmButton>
  )
}

/** Says that a sample whose label cannot be read is of its kit. */
export const Identify = ({ save }: { save: () => Promise<unknown> }) => (
  <ConfirmButton
    label={t('It is of this kit')}
    size="xs"
    sentence={t('Say this only if nothing else can be meant: the results go to the person of this kit.')}
    action={save}
    done={t('The sample was identified')}
  />
)
