/**
 * Weaving: the plan, AspectJ's weaver per class loader, custom stages, and the report of the
 * results.
 */
package org.fedometer.agent.core.weave;
