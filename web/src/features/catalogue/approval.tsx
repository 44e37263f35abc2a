import { Box } from '@mantine/core'
import { WarningAlert } from '../../components/warning-alert.tsx'

/** A reminder, wherever ranges are shown or changed, that they are a draft. */
export function Approval() {
  return (
    <Box mb="md">
      <WarningAlert title="These ranges are a draft">
        A laboratory director must approve every range before anyone sees a verdict that relies on it.
      </WarningAlert>
    </Box>
  )
}
