import { Fieldset, List, Text } from '@mantine/core'
import { IdText } from '../../../components/id-text.tsx'
import { t } from '../../../language/t.ts'
import type { Preset } from './presets.ts'

/** What to set up at a provider, and what comes back from there. */
export function PresetSteps({ preset }: { preset: Preset }) {
  return (
    <Fieldset legend={t('At {name}', { name: preset.name })}>
      <Text component="div" size="sm">
        {t('Redirect URI')}: <IdText value={`${location.origin}/app/sso`} />
      </Text>
      <List type="ordered" size="sm" my="xs" spacing={4}>
        {preset.steps.map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed">
        {t('Issuer')}: {preset.issuer}. {t('Claim with the groups')}: {preset.groupClaim}. {t('Group')}: {preset.group}.{' '}
        {preset.email}
      </Text>
    </Fieldset>
  )
}
