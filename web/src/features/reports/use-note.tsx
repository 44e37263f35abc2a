import { Stack, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { t } from '../../language/t.ts'

interface Note {
  text: string
  author: string
}

interface NoteDraft {
  /** Undefined: nothing was written. */
  note: Note | undefined
  /** Something was written without the name of the person who writes: it cannot be published so. */
  isIncomplete: boolean
  fields: ReactNode
}

/** What a clinician writes to the person with a report. The name stays from one report to the next, the text does not. */
export function useNote(reportID: string): NoteDraft {
  const [draft, setDraft] = useState({ reportID, text: '' })
  const [author, setAuthor] = useState('')
  const text = draft.reportID === reportID ? draft.text : ''
  const isIncomplete = text.trim() !== '' && author.trim() === ''
  return {
    note: text.trim() === '' ? undefined : { text: text.trim(), author: author.trim() },
    isIncomplete,
    fields: (
      <Stack gap="sm">
        <Textarea
          label={t('Note to the person')}
          description={t(
            'Optional. It stands at the top of the report, in plain words. A blank line begins a new paragraph.',
          )}
          autosize
          minRows={2}
          maxLength={4000}
          value={text}
          onChange={(event) => setDraft({ reportID, text: event.currentTarget.value })}
        />
        {text.trim() !== '' && (
          <TextInput
            label={t('Your name and role')}
            description={t('As the person reads it, such as: Dr. Amara Osei, physician')}
            required
            error={isIncomplete && t('Write who you are to publish the note')}
            maxLength={200}
            value={author}
            onChange={(event) => setAuthor(event.currentTarget.value)}
          />
        )}
      </Stack>
    ),
  }
}
