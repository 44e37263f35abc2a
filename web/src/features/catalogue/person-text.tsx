import { Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'

export const reviewedBy = (reviewer: string | null): string =>
  reviewer === null ? t('Not reviewed by a clinician yet.') : t('Reviewed by {reviewer}.', { reviewer })

/** What a person reads about a biomarker in the report, with its versions, and a way to write a new one. */
export function PersonText({ biomarkerID }: { biomarkerID: string }) {
  const texts = useRead('/operator/v1/biomarkers/{biomarkerID}/texts', { params: { path: { biomarkerID } } })
  const [current] = texts.data ?? []
  return (
    <Section title={t('What a person reads')}>
      {texts.error && <ErrorAlert error={texts.error} retry={() => void texts.refetch()} />}
      {texts.data && !current && <Text c="dimmed">{t('Nothing yet: reports show no text beside the value.')}</Text>}
      {current && (
        <Stack gap="xs">
          <Text>
            <strong>{t('What it is.')}</strong> <span lang="en">{current.text.what}</span>
          </Text>
          <Text>
            <strong>{t('What can move it.')}</strong> <span lang="en">{current.text.moves}</span>
          </Text>
          <Text>
            <strong>{t('What to ask a doctor.')}</strong>{' '}
            {current.text.ask.length > 0 ? <span lang="en">{current.text.ask.join(' ')}</span> : t('Nothing.')}
          </Text>
          <Text size="sm" c="dimmed">
            {reviewedBy(current.text.reviewer)} {t('From: {source}', { source: current.text.source })}
          </Text>
        </Stack>
      )}
      {texts.data && <WriteText key={current?.version ?? 0} biomarkerID={biomarkerID} text={current?.text} />}
      {texts.data?.map(({ version, reason, createdDate }) => (
        <Group key={version} justify="space-between">
          <Text size="sm">{t('Text {version}: {reason}', { version, reason })}</Text>
          <RelativeDate value={createdDate} />
        </Group>
      ))}
    </Section>
  )
}

interface BiomarkerText {
  what: string
  moves: string
  ask: string[]
  source: string
  reviewer: string | null
}

function WriteText({ biomarkerID, text }: { biomarkerID: string; text: BiomarkerText | undefined }) {
  const write = useWrite('post', '/operator/v1/biomarkers/{biomarkerID}/texts')
  const [draft, setDraft] = useState({
    what: text?.what ?? '',
    moves: text?.moves ?? '',
    ask: text?.ask.join('\n') ?? '',
    source: text?.source ?? '',
    reviewer: text?.reviewer ?? '',
    reason: '',
  })
  const lines = draft.ask.split('\n').map((line) => line.trim())
  const body = {
    reason: draft.reason.trim(),
    text: {
      what: draft.what.trim(),
      moves: draft.moves.trim(),
      ask: lines.filter((line) => line !== ''),
      source: draft.source.trim(),
      reviewer: draft.reviewer.trim() || null,
    },
  }
  const typed = (name: keyof typeof draft) => ({
    value: draft[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setDraft({ ...draft, [name]: event.currentTarget.value }),
  })
  return (
    <Group my="sm">
      <ConfirmButton
        label={text ? t('Change the text') : t('Write a text')}
        sentence={t(
          'Creates a new version. Existing reports keep the text that they were assessed with. Signed ranges stay signed.',
        )}
        action={() => write.mutateAsync({ params: { path: { biomarkerID } }, body })}
        done={t('A new version was created')}
      >
        <Stack gap="sm">
          <Textarea label={t('What it is')} autosize required maxLength={600} {...typed('what')} />
          <Textarea label={t('What can move it')} autosize required maxLength={600} {...typed('moves')} />
          <Textarea
            label={t('What to ask a doctor')}
            description={t('One question a line')}
            autosize
            {...typed('ask')}
          />
          <TextInput label={t('Source')} description={t('Where to look the facts up')} required {...typed('source')} />
          <TextInput
            label={t('Reviewed by')}
            description={t('The clinician; empty: nobody yet')}
            {...typed('reviewer')}
          />
          <TextInput label={t('Reason')} required {...typed('reason')} />
        </Stack>
      </ConfirmButton>
    </Group>
  )
}
