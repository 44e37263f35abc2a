import { Button, Group, Paper, Select, Skeleton, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Section } from '../../components/section.tsx'
import { personLanguages } from '../../language/person-languages.ts'
import { locale, t } from '../../language/t.ts'
import { type Stage, stageOptions } from './stages.ts'

type Language = (typeof personLanguages)[number]['value']

/** What a reminder says, in each language, and a way to get one. */
export function ReminderPreview({ write }: { write: boolean }) {
  const [stage, setStage] = useState<Stage>('register')
  const [language, setLanguage] = useState<Language>('en')
  const look = useRead('/api/v1/reminders/preview', { params: { query: { stage, language } } }, { keep: true })
  const test = useWrite('post', '/api/v1/reminders/test')
  const sendTest = () =>
    test.mutate(
      { body: { stage, language } },
      { onSuccess: ({ to }) => notifications.show({ message: t('Sent to {to}', { to }) }) },
    )
  return (
    <Section title={t('What it says')}>
      <Group align="end" mb="md">
        <Select
          label={t('Reminder')}
          w={230}
          allowDeselect={false}
          data={stageOptions}
          value={stage}
          onChange={(value) => setStage(value as Stage)}
        />
        <Select
          label={t('Language')}
          w={150}
          allowDeselect={false}
          data={[...personLanguages]}
          value={language}
          onChange={(value) => setLanguage(value as Language)}
        />
        {write && (
          <Button variant="default" loading={test.isPending} onClick={sendTest}>
            {t('Send it to us')}
          </Button>
        )}
      </Group>
      {test.error && <ErrorAlert error={test.error} />}
      {look.error && <ErrorAlert error={look.error} retry={() => void look.refetch()} />}
      {!look.data && !look.error && <Skeleton height={200} />}
      {look.data && (
        <Paper withBorder p="md" maw={720} lang={language} dir={language === 'ar' ? 'rtl' : 'ltr'}>
          <Text fw={600} mb="sm" lang={locale()} dir="ltr">
            {t('Subject:')} <bdi>{look.data.subject}</bdi>
          </Text>
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{look.data.text}</Text>
        </Paper>
      )}
    </Section>
  )
}
