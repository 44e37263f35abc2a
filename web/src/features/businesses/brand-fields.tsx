import { accentsOf } from '@kitlane/display/color'
import { ColorInput, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { rich, t } from '../../language/t.ts'
import type { Draft } from './settings-draft.ts'

interface FieldsProps {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
}

/** Name, colour and logo, with a preview of what recipients see. */
export function BrandFields({ draft, onChange }: FieldsProps) {
  return (
    <Group align="flex-start" gap="xl">
      <Stack gap="sm" flex="1 1 260px" miw={0}>
        <TextInput
          label={t('Name')}
          required
          value={draft.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <ColorInput
          label={t('Colour')}
          description={t(
            'For buttons and links, here and on the pages for recipients. It is darkened where text on it would be hard to read.',
          )}
          placeholder="#2f5d8a"
          format="hex"
          withEyeDropper={false}
          value={draft.brandColor ?? ''}
          onChange={(brandColor) => onChange({ brandColor: brandColor || undefined })}
        />
        <TextInput
          label={t('Address of the logo')}
          type="url"
          placeholder="https://example.com/logo.svg"
          value={draft.logoUrl ?? ''}
          onChange={(event) => onChange({ logoUrl: event.currentTarget.value || undefined })}
        />
        <TextInput
          label={t('E-mail for questions')}
          description={t('Shown to recipients for their questions')}
          type="email"
          value={draft.contactEmail ?? ''}
          onChange={(event) => onChange({ contactEmail: event.currentTarget.value || undefined })}
        />
      </Stack>
      <Preview draft={draft} />
    </Group>
  )
}

/** A small version of a kit's first page, in its colours. */
function Preview({ draft }: { draft: Draft }) {
  const { accent, fill, ink } = accentsOf((draft.brandColor ?? '').replace('#', '').toLowerCase()).light
  return (
    <Paper
      withBorder
      p="lg"
      w={300}
      maw="100%"
      bg="#fff"
      c="#1a1a1a"
      role="img"
      aria-label={t('Preview of a page for recipients')}
    >
      <Stack gap="sm">
        {draft.logoUrl?.startsWith('https://') ? (
          <img
            src={draft.logoUrl}
            alt={draft.name}
            style={{ maxHeight: 40, maxWidth: '100%', objectFit: 'contain', alignSelf: 'flex-start' }}
          />
        ) : (
          <Text fw={600} c={accent}>
            {draft.name}
          </Text>
        )}
        <Text fz="xl" fw={600}>
          {t('Hello! Let us get your kit ready.')}
        </Text>
        <Text ta="center" fw={600} p="sm" bg={fill} c={ink} bdrs="md" bd={`2px solid ${accent}`}>
          {t('Begin')}
        </Text>
        {draft.contactEmail && (
          <Text size="sm">
            {rich('Questions? Write to <email></email>.', {
              email: () => (
                <Text key="email" span c={accent} td="underline">
                  {draft.contactEmail}
                </Text>
              ),
            })}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
