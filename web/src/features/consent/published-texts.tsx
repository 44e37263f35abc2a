import type { components } from '@kitlane/client'
import { Badge, Code, Group, Paper, Spoiler, Stack, Text } from '@mantine/core'
import { EmptyState } from '../../components/empty-state.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { locale, rich, t } from '../../language/t.ts'

export type ConsentText = components['schemas']['ConsentText']

interface PublishedTextsProps {
  texts: readonly ConsentText[]
  panelName: (kitType: string) => string
  /** Whether to say whose each text is. */
  saysWhose: boolean
}

const languages = new Intl.DisplayNames([locale()], { type: 'language' })

/** Every text word for word, newest first. */
export function PublishedTexts({ texts, panelName, saysWhose }: PublishedTextsProps) {
  if (texts.length === 0) {
    return (
      <EmptyState
        title={t('No texts yet')}
        text={t('Publish the words that people agree to when they register a kit.')}
      />
    )
  }
  return (
    <Stack gap="md">
      {texts.map(({ id, kitType, language, text, sha256, source, publishedDate, current }) => (
        <Paper key={id} withBorder p="md" component="article">
          <Group gap="xs" mb="xs">
            <Text fw={600}>
              {kitType === undefined ? t('All panels') : panelName(kitType)}, {languages.of(language) ?? language}
            </Text>
            {current ? <Badge variant="light">{t('Newest')}</Badge> : <Badge variant="default">{t('Replaced')}</Badge>}
            {saysWhose && source === 'operator' && <Badge variant="default">{t("The operator's")}</Badge>}
          </Group>
          <Text size="xs" c="dimmed" mb="xs">
            {rich('Published {when}', { when: <RelativeDate value={publishedDate} /> })} · {id}
          </Text>
          <Spoiler maxHeight={240} showLabel={t('Show all')} hideLabel={t('Show less')}>
            <Text component="div" size="sm" style={{ whiteSpace: 'pre-wrap' }} lang={language}>
              {text}
            </Text>
          </Spoiler>
          <Text size="xs" c="dimmed" mt="xs" style={{ overflowWrap: 'anywhere' }}>
            SHA-256 <Code fz="xs">{sha256}</Code>
          </Text>
        </Paper>
      ))}
    </Stack>
  )
}
