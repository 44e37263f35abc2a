import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { t } from '../../language/t.ts'
import { AddedNotice } from './added-notice.tsx'

let lastKey = 0
const empty = () => ({ key: ++lastKey, question: '', answer: '' })

export function QuizForm({ customerID }: { customerID: number }) {
  const [name, setName] = useState('')
  const [date, setDate] = useState('')
  const [entries, setEntries] = useState(() => [empty()])
  const add = useWrite('post', '/api/v1/customer/add-data')
  const change = (key: number, part: { question?: string; answer?: string }) =>
    setEntries(entries.map((entry) => (entry.key === key ? { ...entry, ...part } : entry)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const quizData = entries
      .filter(({ question }) => question.trim())
      .map(({ question, answer }) => ({ question, answer }))
    add.mutate(
      { body: { type: 'quiz', userId: customerID, quizName: name, date, quizData } },
      { onSuccess: () => setEntries([empty()]) },
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group grow align="flex-end">
          <TextInput
            label={t('Name of the quiz')}
            required
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          <TextInput
            label={t('Answered on')}
            type="date"
            required
            value={date}
            onChange={(event) => setDate(event.currentTarget.value)}
          />
        </Group>
        {entries.map(({ key, question, answer }) => (
          <Group key={key} grow>
            <TextInput
              label={t('Question')}
              required
              value={question}
              onChange={(event) => change(key, { question: event.currentTarget.value })}
            />
            <TextInput
              label={t('Answer')}
              required
              value={answer}
              onChange={(event) => change(key, { answer: event.currentTarget.value })}
            />
          </Group>
        ))}
        <Group>
          <Button variant="default" onClick={() => setEntries([...entries, empty()])}>
            {t('Another question')}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {t('Add the answers')}
          </Button>
        </Group>
        {add.error && <ErrorAlert error={add.error} />}
        {add.isSuccess && <AddedNotice title={t('The answers were saved')} reports={[]} unused={[]} />}
      </Stack>
    </form>
  )
}
