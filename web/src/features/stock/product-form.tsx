import { Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'

/** Says of which kit type the boxes of a GTIN are. */
export function ProductForm() {
  const save = useWrite('post', '/operator/v1/stock/products/{gtin}')
  const [gtin, setGtin] = useState('')
  const [kitType, setKitType] = useState('')
  const [place, setPlace] = useState('')
  const [point, setPoint] = useState('')
  const reorderPoints = place.trim() && point.trim() ? { [place.trim()]: Number(point) } : {}
  return (
    <ConfirmButton
      label={t('Add a product')}
      variant="filled"
      sentence={t('A product is what its GTIN says. Saving it again replaces what was said of it.')}
      action={() =>
        save.mutateAsync({ params: { path: { gtin: gtin.trim() } }, body: { kitType: kitType.trim(), reorderPoints } })
      }
      done={t('The product is saved')}
    >
      <Stack gap="sm">
        <TextInput
          label={t('GTIN')}
          inputMode="numeric"
          value={gtin}
          onChange={(event) => setGtin(event.currentTarget.value)}
          required
        />
        <TextInput
          label={t('Kit type')}
          value={kitType}
          onChange={(event) => setKitType(event.currentTarget.value)}
          required
        />
        <TextInput
          label={t('Reorder point at')}
          value={place}
          onChange={(event) => setPlace(event.currentTarget.value)}
        />
        <TextInput
          label={t('Boxes, below which more are ordered')}
          inputMode="numeric"
          pattern="\d*"
          value={point}
          onChange={(event) => setPoint(event.currentTarget.value)}
        />
      </Stack>
    </ConfirmButton>
  )
}
