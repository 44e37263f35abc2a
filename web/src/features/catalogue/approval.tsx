import { Box } from '@mantine/core'
import { WarningAlert } from '../../components/warning-alert.tsx'
import { t } from '../../language/t.ts'

/** A reminder, wherever ranges are shown or changed, that they are not signed. */
export function Approval() {
  return (
    <Box mb="md">
      <WarningAlert title={t('Not signed by a laboratory')}>
        {t(
          'These ranges are a draft. A laboratory director must sign every range before anyone sees a verdict that relies on it.',
        )}
      </WarningAlert>
    </Box>
  )
}
