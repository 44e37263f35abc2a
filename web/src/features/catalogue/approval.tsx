import { Box } from '@mantine/core'
import { WarningAlert } from '../../components/warning-alert.tsx'

/** The ranges are a draft; nobody may forget it where they are looked at or changed. */
export function Approval() {
  return (
    <Box mb="md">
      <WarningAlert title="These ranges are a draft">
        A laboratory director must approve every range before anyone sees a verdict that relies on it.
      </WarningAlert>
    </Box>
  )
}
