import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Overview } from '../../api/shapes.ts'
import { useRealm, useRealmPath } from '../../app/realm.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { t } from '../../language/t.ts'
import { CreditsLeft } from './credits-left.tsx'

/** For a new business: suggests to try everything in the sandbox, where nothing is posted or charged. */
export function FirstSteps({ credits }: { credits: Overview['credits'] }) {
  const { businessID, mode } = useRealm()
  const path = useRealmPath()
  return (
    <Stack gap="lg" maw={720}>
      <Sheet>
        <Stack gap="sm" align="flex-start">
          <Title order={2}>{mode === 'live' ? t('Nothing has been ordered yet') : t('The sandbox is empty')}</Title>
          {mode === 'live' ? (
            <Text>
              {t(
                'Try it in the sandbox first: order a kit, have it delivered, register it and read its report, all within a minute. Nothing there is posted or charged.',
              )}
            </Text>
          ) : (
            <Text>
              {t(
                'Order a kit, open it, and play a scenario: it is delivered, registered and tested while you watch. It sends the same webhooks as a live kit.',
              )}
            </Text>
          )}
          <Group>
            {mode === 'live' && (
              <Button component={Link} to={`/b/${businessID}/sandbox`}>
                {t('Go to the sandbox')}
              </Button>
            )}
            <Button component={Link} to={path('orders', 'new')} variant={mode === 'live' ? 'default' : 'filled'}>
              {mode === 'live' ? t('Place a live order') : t('Order a kit')}
            </Button>
          </Group>
        </Stack>
      </Sheet>
      <Sheet>
        <Title order={2} mb="sm">
          {t('Credits')}
        </Title>
        <CreditsLeft credits={credits} />
      </Sheet>
    </Stack>
  )
}
