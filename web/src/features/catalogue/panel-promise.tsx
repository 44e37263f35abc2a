import type { components } from '@kitlane/client'
import { Group, NumberInput, Text } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'

const MAX_DAYS = 90

/** By when reports of a panel are promised, and a way to change it. */
export function PanelPromise({ panel }: { panel: components['schemas']['CataloguePanel'] }) {
  const { kitType, name, promisedDays } = panel
  const [days, setDays] = useState<string | number>(promisedDays ?? '')
  const change = useWrite('patch', '/operator/v1/panels/{kitType}')
  const body = { promisedDays: days === '' ? null : Number(days) }
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
        {promisedDays === undefined
          ? t('Nothing')
          : t('{days, plural, one {# day} other {# days}}', { days: promisedDays })}
      </Text>
      <ConfirmButton
        label={t('Change promise')}
        size="compact-xs"
        sentence={t(
          'By when reports of {name} are promised to the people tested, of every business. It counts for samples that come from now on.',
          { name },
        )}
        action={() => change.mutateAsync({ params: { path: { kitType } }, body })}
        done={t('The promise was changed')}
      >
        <NumberInput
          label={t('Days after the sample came to the laboratory')}
          description={t('The promise is kept until the end of that day, UTC. Leave empty to promise nothing.')}
          min={1}
          max={MAX_DAYS}
          allowDecimal={false}
          value={days}
          onChange={setDays}
        />
      </ConfirmButton>
    </Group>
  )
}
