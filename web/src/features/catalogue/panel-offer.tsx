import type { components } from '@kitlane/client'
import { Checkbox, Group, NumberInput, Stack, TagsInput, Text } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'

type Panel = components['schemas']['CataloguePanel']

const MAX_KITS = 1000

/** Where a panel is offered and how many one order may have, and a way to change it. */
export function PanelOffer({ panel }: { panel: Panel }) {
  const { kitType, name, offeredIn, notOfferedIn, maxPerOrder, providerNeeded = false } = panel
  const [only, setOnly] = useState(offeredIn ?? [])
  const [not, setNot] = useState(notOfferedIn ?? [])
  const [most, setMost] = useState<string | number>(maxPerOrder ?? '')
  const [needed, setNeeded] = useState<boolean>(providerNeeded)
  const change = useWrite('patch', '/operator/v1/panels/{kitType}')
  const body = {
    offeredIn: only.length > 0 ? only : null,
    notOfferedIn: not,
    maxPerOrder: most === '' ? null : Number(most),
    providerNeeded: needed,
  }
  const limits = [
    offeredIn ? t('Only {places}', { places: offeredIn.join(', ') }) : t('Everywhere'),
    ...(notOfferedIn ? [t('Not {places}', { places: notOfferedIn.join(', ') })] : []),
    ...(maxPerOrder ? [t('At most {count} an order', { count: maxPerOrder })] : []),
    ...(providerNeeded ? [t('A provider approves each order')] : []),
  ]
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Stack gap={0}>
        {limits.map((limit) => (
          <Text key={limit} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {limit}
          </Text>
        ))}
      </Stack>
      <ConfirmButton
        label={t('Change where')}
        size="compact-xs"
        sentence={t('Where {name} may be sent, of every business. It counts for orders and addresses from now on.', {
          name,
        })}
        action={() => change.mutateAsync({ params: { path: { kitType } }, body })}
        done={t('Where it is offered was changed')}
      >
        <Stack gap="sm">
          <TagsInput
            label={t('Offered in')}
            description={t('Countries such as US, and states such as US-CA. Leave empty for everywhere')}
            openOnFocus={false}
            value={only}
            onChange={setOnly}
          />
          <TagsInput
            label={t('Not offered in')}
            description={t('The same, such as US-NY. It takes precedence')}
            openOnFocus={false}
            value={not}
            onChange={setNot}
          />
          <NumberInput
            label={t('Most kits in one order')}
            description={t('Leave empty for no limit')}
            min={1}
            max={MAX_KITS}
            allowDecimal={false}
            value={most}
            onChange={setMost}
          />
          <Checkbox
            label={t('A provider approves each order')}
            checked={needed}
            onChange={({ currentTarget }) => setNeeded(currentTarget.checked)}
          />
        </Stack>
      </ConfirmButton>
    </Group>
  )
}
