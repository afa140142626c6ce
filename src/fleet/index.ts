export { orderMessageShape, orderShape, reportShape } from "./shapes.ts";
