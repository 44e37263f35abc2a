import { Checkbox, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { OneBusiness } from '../../api/operator-shapes.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { Money } from '../../components/money.tsx'
import { Section } from '../../components/section.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { t } from '../../language/t.ts'

export function BusinessPanels({ business }: { business: OneBusiness }) {
  const provision = useWrite('post', '/operator/v1/businesses/{businessID}/panels')
  const catalogue = useRead('/operator/v1/panels')
  const [chosen, setChosen] = useState<string[]>([])
  const mine = business.panels.filter(({ provisioned }) => provisioned)
  const more = (catalogue.data ?? []).filter(({ kitType }) => !mine.some((panel) => panel.kitType === kitType))
  return (
    <Section
      title={t('Panels')}
      action={
        more.length > 0 && (
          <ConfirmButton
            label={t('Add panels')}
            sentence={t('Choose the panels that this business can also order.')}
            action={async () => {
              await provision.mutateAsync({
                params: { path: { businessID: business.id } },
                body: { kitTypes: chosen },
              })
              setChosen([])
            }}
            done={t('The panels were added')}
          >
            <Checkbox.Group value={chosen} onChange={setChosen} label={t('Panels')}>
              <Stack gap={6} mt={6}>
                {more.map(({ kitType, name }) => (
                  <Checkbox key={kitType} value={kitType} label={`${name} (${kitType})`} />
                ))}
              </Stack>
            </Checkbox.Group>
          </ConfirmButton>
        )
      }
    >
      <WideTable label={t('Panels')}>
        <Table.Tbody>
          {mine.map(({ kitType, name, price }) => (
            <Table.Tr key={kitType}>
              <Table.Td>
                {name}
                <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {kitType}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{price ? <Money minor={price.amount} currency={price.currency} /> : '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Section>
  )
}
