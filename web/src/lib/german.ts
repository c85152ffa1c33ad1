import knucklebones from '$texts/de/knucklebones.json'
import box from '$texts/de/box.json'
import coach from '$texts/de/coach.json'
import common from '$texts/de/common.json'
import farkle from '$texts/de/farkle.json'
import lite from '$texts/de/lite.json'
import options from '$texts/de/options.json'
import statistics from '$texts/de/statistics.json'

export default { ...common, ...options, ...lite, ...farkle, ...box, ...knucklebones, ...coach, ...statistics }
