import { Button, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, type Ref, useState } from 'react'
import { useWrite } from '../../../api/hooks.ts'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { RelativeDate } from '../../../components/relative-date.tsx'
import { Section } from '../../../components/section.tsx'
import { t } from '../../../language/t.ts'
import type { Reviewed } from '../harm.ts'
import css from './review.module.css'

interface CommentsProps {
  reportID: string
  comments: Reviewed['comments']
  field: Ref<HTMLTextAreaElement>
}

/** What reviewers say to each other: it is only added to. */
export function Comments({ reportID, comments, field }: CommentsProps) {
  const add = useWrite('post', '/operator/v1/reports/{reportID}/comments')
  const [draft, setDraft] = useState({ reportID, text: '' })
  const text = draft.reportID === reportID ? draft.text : ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    add.mutate(
      { params: { path: { reportID } }, body: { text: text.trim() } },
      { onSuccess: () => setDraft({ reportID, text: '' }) },
    )
  }
  return (
    <Section title={t('Among reviewers')}>
      {comments.length > 0 && (
        <ul className={css.lines}>
          {comments.map(({ id, text, by, date }) => (
            <li key={id}>
              <Text style={{ whiteSpace: 'pre-wrap' }}>{text}</Text>
              <Text size="xs" c="dimmed" component="div">
                {by} · <RelativeDate value={date} />
              </Text>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit}>
        <Stack gap="xs">
          <Textarea
            ref={field}
            label={t('Comment')}
            description={t('Neither the person nor the business ever sees it. It cannot be changed.')}
            autosize
            minRows={1}
            maxLength={4000}
            value={text}
            onChange={(event) => setDraft({ reportID, text: event.currentTarget.value })}
          />
          {add.error && <ErrorAlert error={add.error} />}
          {text.trim() !== '' && (
            <div>
              <Button type="submit" variant="default" loading={add.isPending}>
                {t('Add the comment')}
              </Button>
            </div>
          )}
        </Stack>
      </form>
    </Section>
  )
}
