import { Button, SimpleGrid, Stack } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { t } from '../../language/t.ts'
import { BusinessSupport } from '../identity/business-support.tsx'
import { BusinessCredits } from './business-credits.tsx'
import { BusinessPanels } from './business-panels.tsx'
import { BusinessSettings } from './business-settings.tsx'
import { BusinessUsers } from './business-users.tsx'

export function BusinessPage() {
  const { ofBusiness = '' } = useParams({ strict: false })
  const found = useRead('/operator/v1/businesses/{businessID}', { params: { path: { businessID: ofBusiness } } })
  const business = found.data
  return (
    <>
      <PageHeader
        title={business?.name ?? t('Business')}
        crumbs={[['businesses', t('Businesses')]]}
        id={ofBusiness}
        actions={
          business && (
            <Button component={Link} to={`/b/${business.id}/live`} variant="default">
              {t('Open its dashboard')}
            </Button>
          )
        }
        sentence={t('You need a reason to open its dashboard, and to invite its users. The business sees both.')}
      />
      {found.error && <ErrorAlert error={found.error} retry={() => void found.refetch()} />}
      {business && (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <Stack gap="lg">
            <BusinessPanels business={business} />
            <BusinessSettings business={business} />
          </Stack>
          <Stack gap="lg">
            <BusinessCredits business={business} />
            <BusinessUsers business={business} />
            <BusinessSupport businessID={business.id} />
          </Stack>
        </SimpleGrid>
      )}
    </>
  )
}
