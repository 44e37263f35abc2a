import { Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'

/** Records that a laboratory director signed the current ranges of one biomarker, or of all. */
export function SignRanges({ biomarkerID }: { biomarkerID?: string }) {
  const sign = useWrite('post', '/operator/v1/range-signatures')
  const [laboratory, setLaboratory] = useState('')
  const [director, setDirector] = useState('')
  const who = { laboratory: laboratory.trim(), director: director.trim() }
  return (
    <ConfirmButton
      label={biomarkerID ? t('Sign the ranges') : t('Sign all ranges')}
      sentence={t(
        'The director answers for the current version. A later version has to be signed again. It is recorded in the audit.',
      )}
      action={() => sign.mutateAsync({ body: { ...who, ...(biomarkerID && { biomarkers: [biomarkerID] }) } })}
      done={t('The ranges were signed')}
    >
      <Stack gap="sm">
        <TextInput
          label={t('Laboratory')}
          value={laboratory}
          onChange={(event) => setLaboratory(event.currentTarget.value)}
          required
        />
        <TextInput
          label={t('Laboratory director')}
          value={director}
          onChange={(event) => setDirector(event.currentTarget.value)}
          required
        />
      </Stack>
    </ConfirmButton>
  )
}
