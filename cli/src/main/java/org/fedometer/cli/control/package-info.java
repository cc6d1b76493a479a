/** Commands that control a load in another process. */
package org.fedometer.cli.control;
