import ts from 'typescript';

import type { Schema } from './schema.js';

/** What a comment says to readers of the code alone. */
const CITATION = / \(specification\/[^)]+\)/g;

const ROUTES = new Set(['Get', 'Post', 'Put', 'Patch', 'Delete']);

/** The schema of each operation's success answer, by the `operationId` that Nest gives to the operation. An operation without a body is absent. */
export type AnswerSchemas = ReadonlyMap<string, Schema>;

/**
 * Reads the answers from the return types of the controllers of a TypeScript project, and their descriptions from the doc comments of the fields. Throws for a
 * type that no schema describes.
 */
export const answerSchemas = (tsConfig: string): AnswerSchemas => {
  const config = ts.getParsedCommandLineOfConfigFile(tsConfig, {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail });
  const program = ts.createProgram(config!.fileNames, config!.options);
  const types = new AnswerTypes(program.getTypeChecker());
  const controllers = program.getSourceFiles().filter(({ fileName }) => fileName.endsWith('.controller.ts'));
  const found = controllers.flatMap(({ statements }) => statements.filter(ts.isClassDeclaration).flatMap((each) => types.ofController(each)));
  const answers = new Map(found);
  if (answers.size < found.length) throw new Error('two operations have one operationId');
  return answers;
};

const fail = ({ messageText }: ts.Diagnostic): never => {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
};

/** Turns types of TypeScript into schemas. */
class AnswerTypes {
  constructor(private readonly checker: ts.TypeChecker) {}

  ofController(controller: ts.ClassDeclaration): (readonly [string, Schema])[] {
    return controller.members.filter(ts.isMethodDeclaration).flatMap((method) => {
      if (!decoratorsOf(method).some((name) => ROUTES.has(name))) return [];
      const operation = `${controller.name?.text}_${method.name.getText()}`;
      const type = this.checker.getAwaitedType(this.checker.getReturnTypeOfSignature(this.checker.getSignatureFromDeclaration(method)!))!;
      return type.flags & ts.TypeFlags.Void ? [] : [[operation, this.schemaOf(type, operation)] as const];
    });
  }

  /** @param place where the type stands, for the error */
  private schemaOf(type: ts.Type, place: string): Schema {
    return this.schemaOfAny([type], place);
  }

  /** Of a value that has one of these types. */
  private schemaOfAny(each: readonly ts.Type[], place: string): Schema {
    const types = [...new Set(each.flatMap((type) => (type.isUnion() ? type.types : [type])))].filter(
      ({ flags }) => !(flags & ts.TypeFlags.Undefined),
    );
    const all = (flags: ts.TypeFlags) => types.every((each) => each.flags & flags);
    if (all(ts.TypeFlags.StringLiteral))
      return { type: 'string', enum: [...new Set(types.map((each) => (each as ts.StringLiteralType).value))].sort() };
    if (all(ts.TypeFlags.BooleanLike)) return { type: 'boolean' };
    if (all(ts.TypeFlags.NumberLike)) return { type: 'integer' };
    if (types.every((each) => this.isText(each))) return { type: 'string' };
    if (types.length > 0 && types.every((each) => this.checker.isArrayLikeType(each)))
      return {
        type: 'array',
        items: this.schemaOfAny(
          types.map((each) => this.checker.getIndexTypeOfType(each, ts.IndexKind.Number)!),
          `${place}[]`,
        ),
      };
    if (types.every((each) => each.flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive | ts.TypeFlags.Intersection)))
      return this.objectSchema(types, place);
    throw new Error(`${place}: no schema describes ${types.map((each) => this.checker.typeToString(each)).join(' | ')}`);
  }

  /** A field is required that each of the types requires. An object without named fields is a map. */
  private objectSchema(types: readonly ts.Type[], place: string): Schema {
    const names = [...new Set(types.flatMap((type) => this.checker.getPropertiesOfType(type).map(({ name }) => name)))];
    const fields = names.map((name) => {
      const found = types.map((type) => this.checker.getPropertyOfType(type, name));
      const required = found.every((each) => each && !(each.flags & ts.SymbolFlags.Optional));
      const fields = found.filter((each) => each !== undefined);
      return { name, required, schema: this.fieldSchema(fields, `${place}.${name}`) };
    });
    const values = types.map((type) => this.checker.getIndexTypeOfType(type, ts.IndexKind.String)).find((each) => each);
    const others = values && !(values.flags & ts.TypeFlags.Unknown) && this.schemaOf(values, `${place}{}`);
    if (fields.length === 0) return { type: 'object', additionalProperties: others || true };
    const required = fields.filter((each) => each.required).map(({ name }) => name);
    return {
      type: 'object',
      properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
      ...(required.length > 0 && { required }),
      ...(others && { additionalProperties: others }),
    };
  }

  /** `fields`: the field in each type that has it; the first one describes it. */
  private fieldSchema(fields: readonly ts.Symbol[], place: string): Schema {
    const [field] = fields as readonly [ts.Symbol];
    const schema = this.schemaOfAny(
      fields.map((each) => this.checker.getTypeOfSymbol(each)),
      place,
    );
    const description = ts.displayPartsToString(field.getDocumentationComment(this.checker)).replaceAll(CITATION, '');
    const format = field.getJsDocTags(this.checker).find(({ name }) => name === 'format');
    const isId = 'type' in schema && schema.type === 'string' && field.name.endsWith('Id');
    return {
      ...schema,
      ...(format ? { format: ts.displayPartsToString(format.text) } : isId && { format: 'uuid' }),
      ...(description !== '' && { description }),
    };
  }

  /** A text, also one with a brand. */
  private isText(type: ts.Type): boolean {
    return Boolean(type.flags & ts.TypeFlags.StringLike) || (type.isIntersection() && type.types.some((each) => this.isText(each)));
  }
}

const decoratorsOf = (method: ts.MethodDeclaration): readonly string[] =>
  (ts.getDecorators(method) ?? []).map(({ expression }) => (ts.isCallExpression(expression) ? expression.expression : expression).getText());
