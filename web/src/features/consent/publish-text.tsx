import { Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'

export interface NewText {
  kitType?: string
  language: string
  text: string
}

interface PublishTextProps {
  panels: readonly { kitType: string; name: string }[]
  publish: (text: NewText) => Promise<unknown>
  /** To begin with. */
  words: string
}

/** Publishes a text; nobody can change it afterwards. */
export function PublishText({ panels, publish, words }: PublishTextProps) {
  const [kitType, setKitType] = useState<string | null>(null)
  const [language, setLanguage] = useState('en')
  const [typed, setTyped] = useState<string>()
  const text = typed ?? words
  return (
    <ConfirmButton
      label={t('Publish a text')}
      variant="filled"
      sentence={t(
        'Everybody who registers a kit from now on is shown these words. A published text cannot be changed: publish another one instead. What was agreed before stays as it was.',
      )}
      action={() => publish({ ...(kitType && { kitType }), language: language.trim(), text })}
      done={t('The text was published')}
    >
      <Stack gap="sm">
        <Select
          label={t('For')}
          placeholder={t('All panels')}
          clearable
          value={kitType}
          onChange={setKitType}
          data={panels.map((panel) => ({ value: panel.kitType, label: panel.name }))}
        />
        <TextInput
          label={t('Language')}
          description={t('A tag such as en, de or pt-BR')}
          w={180}
          value={language}
          onChange={(event) => setLanguage(event.currentTarget.value)}
          required
        />
        <Textarea
          label={t('Text')}
          value={text}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autosize
          minRows={8}
          maxRows={18}
          required
        />
        <Text size="xs" c="dimmed">
          {t(
            'An empty line begins a paragraph, "# " a heading and "- " an item of a list. The part above the first heading is shown at once, the rest behind "Read the full text".',
          )}
        </Text>
      </Stack>
    </ConfirmButton>
  )
}
