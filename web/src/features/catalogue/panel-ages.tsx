import type { components } from '@kitlane/client'
import { Group, NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'

type Panel = components['schemas']['CataloguePanel']

const MAX_AGE = 130
const numberOf = (value: string | number) => (value === '' ? undefined : Number(value))

/** For which ages a panel is, and a way to change it. */
export function PanelAges({ panel }: { panel: Panel }) {
  const { kitType, name } = panel
  const [minAge, setMinAge] = useState<number | undefined>(panel.minAge)
  const [maxAge, setMaxAge] = useState<number | undefined>(panel.maxAge)
  const change = useWrite('patch', '/operator/v1/panels/{kitType}')
  const body = { minAge: minAge ?? 0, maxAge: maxAge ?? null }
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
        {panel.maxAge === undefined
          ? t('{minAge} or more', { minAge: panel.minAge })
          : t('{minAge} to {maxAge}', { minAge: panel.minAge, maxAge: panel.maxAge })}
      </Text>
      <ConfirmButton
        label={t('Change ages')}
        size="compact-xs"
        sentence={t('For whom {name} is, of every business. It counts for kits that are registered from now on.', {
          name,
        })}
        action={() => change.mutateAsync({ params: { path: { kitType } }, body })}
        done={t('The ages were changed')}
      >
        <Stack gap="sm">
          <NumberInput
            label={t('Youngest')}
            description={t(
              'Below 18, a parent or guardian registers the person. Reference intervals stay those of adults.',
            )}
            min={0}
            max={MAX_AGE}
            allowDecimal={false}
            value={minAge ?? ''}
            onChange={(value) => setMinAge(numberOf(value))}
          />
          <NumberInput
            label={t('Oldest')}
            description={t('Leave empty for no limit')}
            min={0}
            max={MAX_AGE}
            allowDecimal={false}
            value={maxAge ?? ''}
            onChange={(value) => setMaxAge(numberOf(value))}
          />
        </Stack>
      </ConfirmButton>
    </Group>
  )
}
