// The example of an agent in TypeScript runs: the framework reads our tools and calls one, a mock speaks for the language model.
import { MockLanguageModelV3 } from "ai/test";

const [example] = process.argv.slice(2);
const { build } = await import(example);
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const seen = { tools: [], answer: "" };
const house = {
  project: { name: "House" },
  outline: { form: "rectangle", width: 9000, depth: 7000 },
  storeys: [{ name: "Ground Floor" }],
  roof: "gable",
};

const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt, tools }) => {
    const told = prompt.filter((message) => message.role === "tool").at(-1);
    if (!told) {
      seen.tools = tools.map((tool) => tool.name);
      const call = { type: "tool-call", toolCallId: "1", toolName: "create_building", input: JSON.stringify(house) };
      return { content: [call], finishReason: { unified: "tool-calls", raw: undefined }, usage, warnings: [] };
    }
    seen.answer = JSON.stringify(told.content);
    const text = { type: "text", text: "The house stands." };
    return { content: [text], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] };
  },
});

const said = await build("A house of 9 by 7 m with a gable roof.", model);
if (said !== "The house stands.") throw new Error(`said ${said}`);
for (const tool of ["create_building", "create_wall", "validate_model"]) {
  if (!seen.tools.includes(tool)) throw new Error(`${tool} is not offered: ${seen.tools}`);
}
if (!seen.answer.includes("roof_id")) throw new Error(`create_building answered ${seen.answer}`);
console.log(`  agent.ts: ${seen.tools.length} tools offered, a house made`);
